import { Form, Link } from "@remix-run/react";
import { memo, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { CUSTOM } from "~/catalogue/custom";
import type { Category } from "~/catalogue/types";
import { useMay } from "~/ui/may";
import { findMailKind } from "../draft/draft";
import { findSendScope } from "../draft/mode";
import { FORM_ID } from "../forms/form-context";
import { MethodName } from "../forms/method-name";
import type { BuilderView, PresetEntry } from "./builder-view";
import { loadEditor } from "./lazy-parts";

const LOAD_AND_SEND_FORM = "load-and-send";

interface RailProps {
  view: BuilderView;
  /** The open preset or custom request. */
  current: { id: string; label: string };
  /** Takes a curl command; null for a person who is signed out. */
  pasteCurl: ReactNode;
  onOpen: (presetId: string) => void;
  onLoadAndSend: (presetId: string) => void;
}

/**
 * The presets by category, searchable. Without JavaScript it is links and a GET form. Memoised, so that typing in the
 * request does not render it again.
 */
export function PresetRail(props: RailProps) {
  const latest = useRef(props);
  latest.current = props;
  const onOpen = useCallback((presetId: string) => latest.current.onOpen(presetId), []);
  const onLoadAndSend = useCallback((presetId: string) => latest.current.onLoadAndSend(presetId), []);
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
        <Link
          to={`/?preset=${CUSTOM.id}`}
          preventScrollReset
          className="button"
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onOpen(CUSTOM.id);
          }}
        >
          New request
        </Link>
        {pasteCurl}
      </div>
      <Rail view={view} id={current.id} label={current.label} onOpen={onOpen} onLoadAndSend={onLoadAndSend} />
    </aside>
  );
}

interface ListProps extends Pick<RailProps, "view" | "onOpen" | "onLoadAndSend"> {
  /** The id of the open one. */
  id: string;
  label: string;
}

const Rail = memo(function Rail({ view, id: current, label, onOpen, onLoadAndSend }: ListProps) {
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
        <PresetSelect
          groups={groups}
          current={{ id: current, label }}
          onOpen={onOpen}
          className={view.signedIn ? "" : "max-md:col-span-2"}
        />
        {view.signedIn && current !== CUSTOM.id ? (
          <LoadAndSend presetId={current} label={label} className="button xl:hidden" />
        ) : null}
        <noscript>
          <button type="submit" className="button w-full">
            Apply
          </button>
        </noscript>
      </Form>
      <form
        id={LOAD_AND_SEND_FORM}
        method="post"
        action="/?index"
        onSubmit={(event) => {
          event.preventDefault();
          const { submitter } = event.nativeEvent as SubmitEvent;
          const presetId = submitter?.dataset.preset;
          if (presetId) onLoadAndSend(presetId);
        }}
      />
      <nav
        ref={list}
        aria-label="Endpoint presets"
        className="relative min-h-0 flex-1 overflow-y-auto pb-4 max-xl:hidden"
      >
        {groups.map((group) => (
          <PresetSection
            key={group.category.id}
            group={group}
            current={current}
            signedIn={view.signedIn}
            onOpen={onOpen}
          />
        ))}
        {groups.length === 0 ? (
          <p className="p-3 text-dim">No preset matches. Clear the search to see all.</p>
        ) : null}
      </nav>
    </>
  );
});

/** The same choice on screens without room for the list. */
function PresetSelect({
  groups,
  current,
  onOpen,
  className,
}: {
  groups: PresetGroup[];
  current: { id: string; label: string };
  onOpen: (presetId: string) => void;
  className: string;
}) {
  return (
    <select
      name="preset"
      className={`control xl:hidden ${className}`}
      aria-label="Endpoint preset"
      value={current.id}
      onChange={(event) => onOpen(event.target.value)}
    >
      {groups.some((group) => group.presets.some((preset) => preset.id === current.id)) ? null : (
        <option value={current.id}>{current.label} (open)</option>
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

/** Preloads the editor. The link itself loads the preset. */
function loadWhatItNeeds(preset: PresetGroup["presets"][number]): void {
  if (findMailKind(preset)) void loadEditor();
}

function PresetSection({
  group,
  current: currentId,
  signedIn,
  onOpen,
}: {
  group: PresetGroup;
  current: string;
  signedIn: boolean;
  onOpen: (presetId: string) => void;
}) {
  const may = useMay();
  return (
    <section aria-label={group.category.label}>
      <h2 className="px-3.5 pt-3 pb-1 text-small text-dim">{group.category.label}</h2>
      <ul>
        {group.presets.map((preset) => {
          const current = preset.id === currentId;
          return (
            <li
              key={preset.id}
              data-shown={preset.id}
              className={`group relative flex items-center border-l-2 hover:bg-surface focus-within:bg-surface ${
                current ? "border-accent bg-surface font-semibold" : "border-transparent"
              }`}
            >
              <Link
                to={`/?preset=${preset.id}`}
                preventScrollReset
                data-early
                aria-current={current ? "true" : undefined}
                onPointerEnter={() => loadWhatItNeeds(preset)}
                onFocus={() => loadWhatItNeeds(preset)}
                title={`${preset.method} ${preset.path}`}
                className={`flex min-w-0 flex-1 items-center gap-2 py-1 pl-3 group-focus-within:pr-[92px] group-hover:pr-[92px] ${current && signedIn ? "pr-[92px]" : ""}`}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                  event.preventDefault();
                  onOpen(preset.id);
                }}
              >
                <MethodName method={preset.method} />
                <span className={current ? "min-w-0" : "truncate"}>{preset.label}</span>
              </Link>
              {signedIn && may(findSendScope({ ...preset, values: {} })) ? (
                <LoadAndSend
                  presetId={preset.id}
                  label={preset.label}
                  className={`absolute right-1.5 min-h-[24px] rounded-[4px] border border-edge bg-surface px-1.5 text-small font-semibold hover:border-ink focus-visible:opacity-100 group-hover:opacity-100 ${
                    current ? "" : "opacity-0 [@media(hover:none)]:opacity-100"
                  }`}
                />
              ) : null}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function LoadAndSend({ presetId, label, className }: { presetId: string; label: string; className: string }) {
  return (
    <button
      type="submit"
      form={LOAD_AND_SEND_FORM}
      formAction={`/?index&preset=${presetId}#response`}
      name="intent"
      value="load_and_send"
      data-preset={presetId}
      aria-label={`Load & Send: ${label}`}
      className={className}
    >
      Load &amp; Send
    </button>
  );
}

interface PresetGroup {
  category: Category;
  presets: PresetEntry[];
}

/** Groups the presets of a category ("" for all) that have every word in their label, path, method or category. */
export function groupPresets(
  presets: PresetEntry[],
  categories: Category[],
  words: string,
  categoryId: string,
): PresetGroup[] {
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
