import { Form } from "@remix-run/react";
import { type ComponentProps, memo, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { type Category, CUSTOM } from "~/catalogue/types";
import { useMay } from "~/ui/may";
import { findMailKind } from "../draft/draft";
import { FORM_ID, IntentButton } from "../forms/form-context";
import type { ShownView } from "./builder-view";
import { loadEditor } from "./lazy-chunks";

const LOAD_AND_SEND_FORM = "load-and-send";

interface RailProps {
  view: ShownView;
  current: { id: string; label: string };
  /** Takes a curl command; null for a person who is signed out. */
  pasteCurl: ReactNode;
  onOpen: (presetId: string, send: boolean) => void;
}

/** The presets by category, searchable. Memoised, so that typing in the request does not render them again. */
export function PresetRail(props: RailProps) {
  const latest = useRef(props);
  latest.current = props;
  const onOpen = useCallback<RailProps["onOpen"]>((id, send) => latest.current.onOpen(id, send), []);
  const { view, current, pasteCurl } = props;
  return (
    <aside aria-label="Presets" className="flex h-full min-h-0 flex-col border-line xl:border-r xl:bg-sunken">
      {/* Each preset is two stops of the Tab key. */}
      <a
        href={`#${FORM_ID}`}
        className="sr-only focus:not-sr-only focus:absolute! focus:z-30 focus:bg-surface focus:p-3"
      >
        Skip the presets
      </a>
      <div className="relative z-20 flex gap-2 px-3 pt-3">
        <PresetLink id={CUSTOM.id} onOpen={onOpen} className="button">
          New request
        </PresetLink>
        {pasteCurl}
      </div>
      <Rail view={view} id={current.id} label={current.label} onOpen={onOpen} />
    </aside>
  );
}

/** Opens a preset in the page. No `Link`: 66 of them would take a tenth of the hydration. */
function PresetLink({ id, onOpen, ...link }: ComponentProps<"a"> & Pick<ListProps, "id" | "onOpen">) {
  return (
    <a
      {...link}
      href={`/?preset=${id}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onOpen(id, false);
      }}
    />
  );
}

/** `id` and `label` are those of the open preset. */
type ListProps = Pick<RailProps, "view" | "onOpen"> & RailProps["current"];

const Rail = memo(function Rail(props: ListProps) {
  const { view, id: current } = props;
  const open = view.presets.find(({ id }) => id === current);
  const may = useMay();
  const [words, setWords] = useState(view.search.words);
  const [categoryId, setCategoryId] = useState(view.search.categoryId);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // scrollIntoView would scroll the window too.
    const entry = list.current?.querySelector<HTMLElement>(`[data-shown="${current}"]`);
    if (!list.current || !entry) return;
    const { scrollTop, clientHeight } = list.current;
    const seen = entry.offsetTop >= scrollTop && entry.offsetTop < scrollTop + clientHeight - 100;
    if (!seen) list.current.scrollTop = entry.offsetTop - clientHeight / 2;
  }, [current]);
  const groups = groupPresets(view.presets, view.categories, words, categoryId);
  return (
    <>
      <Form
        method="get"
        action="/"
        className="grid grid-cols-2 gap-2 border-line border-b p-3 md:grid-cols-[1fr_1fr_1fr_auto] xl:grid-cols-1"
      >
        <input
          type="search"
          name="q"
          className="control"
          placeholder="Find a preset"
          aria-label="Find a preset"
          aria-keyshortcuts="/"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <select
          name="category"
          className="control"
          aria-label="Category"
          value={categoryId}
          onChange={(event) => setCategoryId(event.target.value)}
        >
          <option value="">All categories</option>
          {view.categories.map((category) => (
            <option key={category.id} value={category.id}>
              {category.label}
            </option>
          ))}
        </select>
        <PresetSelect {...props} groups={groups} />
        {view.signedIn && open && may(open.scope) ? (
          <LoadAndSend {...props} className="button xl:hidden" />
        ) : null}
        <noscript>
          <button type="submit" className="button w-full">
            Apply
          </button>
        </noscript>
      </Form>
      <form id={LOAD_AND_SEND_FORM} method="post" action="/?index" />
      <nav
        ref={list}
        aria-label="Endpoint presets"
        className="relative min-h-0 flex-1 overflow-y-auto pb-4 max-xl:hidden"
      >
        {groups.map((group) => (
          <PresetSection key={group.category.id} {...props} group={group} />
        ))}
        {groups.length === 0 ? (
          <p className="p-3 text-dim">No preset matches. Clear the search to see all.</p>
        ) : null}
      </nav>
    </>
  );
});

/** The same choice on screens without room for the list. */
function PresetSelect({ groups, id, label, view, onOpen }: ListProps & { groups: PresetGroup[] }) {
  return (
    <select
      name="preset"
      className={`control xl:hidden ${view.signedIn ? "" : "max-md:col-span-2"}`}
      aria-label="Endpoint preset"
      value={id}
      onChange={(event) => onOpen(event.target.value, false)}
    >
      {groups.some((group) => group.presets.some((preset) => preset.id === id)) ? null : (
        <option value={id}>{label} (open)</option>
      )}
      {groups.map(({ category, presets }) => (
        <optgroup key={category.id} label={category.label}>
          {presets.map((preset) => (
            <option key={preset.id} value={preset.id}>
              {preset.label}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

function PresetSection({ group, id, view, onOpen }: ListProps & { group: PresetGroup }) {
  const may = useMay();
  return (
    <section aria-label={group.category.label}>
      <h2 className="px-3.5 pt-3 pb-1 text-small text-dim">{group.category.label}</h2>
      <ul>
        {group.presets.map((preset) => {
          const current = preset.id === id;
          // The link itself loads the preset.
          const preload = () => findMailKind(preset) && void loadEditor();
          return (
            <li key={preset.id} data-shown={preset.id} className={`preset ${current ? "preset-open" : ""}`}>
              <PresetLink
                id={preset.id}
                onOpen={onOpen}
                data-early
                aria-current={current ? "true" : undefined}
                onPointerEnter={preload}
                onFocus={preload}
                title={`${preset.method} ${preset.path}`}
              >
                <span className={preset.method === "GET" ? "text-ok" : "text-accent"}>{preset.method}</span>
                {preset.label}
              </PresetLink>
              {view.signedIn && may(preset.scope) ? (
                <LoadAndSend id={preset.id} label={preset.label} onOpen={onOpen} />
              ) : null}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function LoadAndSend({ id, label, className, onOpen }: Omit<ListProps, "view"> & { className?: string }) {
  return (
    <IntentButton
      form={LOAD_AND_SEND_FORM}
      formAction={`/?index&preset=${id}#response`}
      intent="load_and_send"
      aria-label={`Load & Send: ${label}`}
      className={className}
      onPress={() => onOpen(id, true)}
    >
      Load &amp; Send
    </IntentButton>
  );
}

type PresetGroup = ReturnType<typeof groupPresets>[number];

/** Groups the presets of a category ("" for all) that have every word in their label, path, method or category. */
export function groupPresets(
  presets: ShownView["presets"],
  categories: Category[],
  words: string,
  categoryId: string,
) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return categories
    .filter((category) => categoryId === "" || category.id === categoryId)
    .map((category) => ({
      category,
      presets: presets.filter((preset) => {
        if (preset.categoryId !== category.id) return false;
        const text = `${preset.label} ${preset.path} ${preset.method} ${category.label}`.toLowerCase();
        return wanted.every((word) => text.includes(word));
      }),
    }))
    .filter((group) => group.presets.length > 0);
}
