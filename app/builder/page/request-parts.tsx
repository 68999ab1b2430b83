import type { ReactNode } from "react";
import { Tabs } from "~/ui/tabs";
import { carriesBody, type Draft, isTypedByHand, type Pair } from "../draft/draft";
import { buildBodyText, buildFormQuery, hasInvalidBody } from "../draft/request";
import { BodyEditor, UseFormButton } from "../forms/body-editor";
import { CodePanel } from "../forms/code-panel";
import { FieldForm } from "../forms/field-form";
import { PairsEditor } from "../forms/pairs-editor";
import { HistoryPanel } from "../history/history-panel";
import type { BuilderPageView, Posted } from "./builder-view";
import { AddressCheckPanel, MailForm, Tips } from "./lazy-editor";
import type { BuilderParts } from "./use-builder";

const FORM_UNUSED = "You edited the body by hand, so these fields are not used.";

const HEADERS_HINT = "The server sets keys, cookies and host. Headers with these names are not sent.";

const FORM_NAMES = { postcard: "Postcard Form", letter: "Letter Form" };

/** The inner tabs of a request. */
export function RequestParts({
  view,
  posted,
  builder: { choices, request, mail, opening, history },
  action,
  modeSwitch,
}: {
  view: BuilderPageView;
  posted: Posted | null;
  builder: BuilderParts;
  /** Where the form is posted without JavaScript. */
  action: string;
  modeSwitch: ReactNode;
}) {
  const { template, draft, kind, custom, change } = request;
  const { problems } = mail;
  const formQuery = buildFormQuery(draft, template);
  const shortened = shortenFiles(draft);
  const contentType = draft.headers.find((pair) => /^content-type$/i.test(pair.name))?.value ?? "";
  return (
    <Tabs
      label="Request parts"
      items={[
        {
          id: "fields",
          label: kind ? FORM_NAMES[kind] : "Form Fields",
          count: kind ? undefined : template.fields.length,
          content: (
            <>
              {isTypedByHand(draft) && !custom ? (
                <FormUnused action={action} onUseForm={() => change({ type: "body", body: null })} />
              ) : null}
              {kind ? (
                <MailForm
                  kind={kind}
                  template={template}
                  draft={draft}
                  problems={problems}
                  change={change}
                  recipients={mail.recipients}
                  templates={mail.templates}
                  addressCheck={<AddressCheckPanel draft={draft} view={mail.addressCheck} action={action} />}
                  modeSwitch={modeSwitch}
                />
              ) : (
                <FieldForm
                  path={template.path}
                  fields={template.fields}
                  draft={draft}
                  problems={problems}
                  change={change}
                />
              )}
            </>
          ),
        },
        ...(kind ? [{ id: "tips", label: "Tips & Guide", content: <Tips kind={kind} /> }] : []),
        {
          id: "query",
          label: "Query Params",
          count: formQuery.length + draft.query.length,
          content: (
            <>
              <FormQuery rows={formQuery} />
              <PairsEditor
                kind="query"
                legend="Query parameter"
                action={`${action}#query`}
                pairs={draft.query}
                onChange={(pairs) => change({ type: "pairs", kind: "query", pairs })}
              />
            </>
          ),
        },
        {
          id: "headers",
          label: "Headers",
          count: draft.headers.length,
          content: (
            <>
              <p className="px-4 pt-4 text-dim">{HEADERS_HINT}</p>
              <PairsEditor
                kind="header"
                legend="Header"
                action={`${action}#headers`}
                pairs={draft.headers}
                onChange={(pairs) => change({ type: "pairs", kind: "headers", pairs })}
              />
            </>
          ),
        },
        {
          id: "body",
          label: "Body",
          disabledReason: carriesBody(draft.method) ? null : formatNoBody(draft.method),
          content: (
            <BodyEditor
              draft={draft}
              custom={custom}
              built={buildBodyText(shortened ?? draft, template)}
              shortened={shortened !== null}
              hash={posted?.bodyHash ?? view.bodyHash}
              invalid={hasInvalidBody(draft)}
              problem={posted?.bodyProblem ?? null}
              contentType={contentType}
              action={action}
              onChange={(body) => change({ type: "body", body })}
            />
          ),
        },
        {
          id: "code",
          label: "Code",
          content: (open) => (
            <CodePanel
              open={open}
              draft={draft}
              template={template}
              base={choices.base}
              first={posted ? posted.code : view.code}
              action={action}
            />
          ),
        },
        {
          id: "history",
          label: "History",
          content: (
            <HistoryPanel entries={history.entries} onOpen={opening.openEntry} onClear={history.clear} />
          ),
        },
      ]}
    />
  );
}

/** Longer files are shortened: writing them out at every keystroke is slow, and no one edits them as text. */
const SHOWN_FILE_CHARS = 200_000;

/** The draft with long files shortened for display, or null when there is none. */
function shortenFiles(draft: Draft): Draft | null {
  const long = Object.keys(draft.files).filter(
    (name) => (draft.values[name] ?? "").length > SHOWN_FILE_CHARS,
  );
  if (long.length === 0) return null;
  const cut = long.map((name) => {
    const value = draft.values[name] ?? "";
    return [name, `${value.slice(0, 120)}… ${value.length.toLocaleString("en")} characters`];
  });
  return { ...draft, values: { ...draft.values, ...Object.fromEntries(cut) } };
}

function FormUnused({ action, onUseForm }: { action: string; onUseForm: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 pt-4">
      <p className="text-dim">{FORM_UNUSED}</p>
      <UseFormButton action={action} onUseForm={onUseForm} />
    </div>
  );
}

/** Parameters that come from the form, above those that are typed. */
function FormQuery({ rows }: { rows: Pair[] }) {
  if (rows.length === 0) return null;
  return (
    <dl aria-label="From the form" className="wire grid grid-cols-2 gap-x-4 gap-y-1 px-4 pt-4">
      {rows.map((row) => (
        <div key={row.name} className="contents">
          <dt className="json-key">{row.name}</dt>
          <dd className="[overflow-wrap:anywhere]">
            {row.value} <span className="text-dim">from the form</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function formatNoBody(method: string): string {
  return `${method} requests have no body`;
}
