import type { ReactNode } from "react";
import { Tabs } from "~/ui/tabs";
import { carriesBody, isTypedByHand, type Pair } from "../draft/draft";
import { buildFormQuery } from "../draft/request";
import { BodyEditor, UseFormButton } from "../forms/body-editor";
import { CodePanel } from "../forms/code/code-panel";
import { FieldForm } from "../forms/field-form";
import { useForm } from "../forms/form-context";
import type { ShownView } from "./builder-view";
import { HistoryList, MailForm, Tips } from "./lazy-chunks";
import type { BuilderParts } from "./use-builder";

const FORM_NAMES = { postcard: "Postcard Form", letter: "Letter Form" };

interface RequestPartsProps {
  view: ShownView;
  builder: BuilderParts;
  modeSwitch: ReactNode;
}

export function RequestParts({ view, builder, modeSwitch }: RequestPartsProps) {
  const { choices, request, opening, history } = builder;
  const { call, draft, kind, custom } = request;
  const formQuery = buildFormQuery(draft, call);
  const isOwn = view.users.some(
    ({ id, isAuthenticatedUser }) => isAuthenticatedUser && id === choices.userId,
  );
  return (
    <Tabs
      label="Request parts"
      items={[
        {
          id: "fields",
          label: kind ? FORM_NAMES[kind] : "Form Fields",
          count: kind ? undefined : call.fields.length,
          content: (
            <>
              {isTypedByHand(draft) && !custom ? <FormUnused /> : null}
              {kind ? <MailForm kind={kind} modeSwitch={modeSwitch} /> : <FieldForm />}
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
              <PairsEditor kind="query" legend="Query parameter" />
            </>
          ),
        },
        {
          id: "headers",
          label: "Headers",
          count: draft.headers.length,
          content: (
            <>
              <p className="px-4 pt-4 text-dim">
                The server sets keys, cookies and host. Headers with these names are not sent.
              </p>
              <PairsEditor kind="header" legend="Header" />
            </>
          ),
        },
        {
          id: "body",
          label: "Body",
          disabledReason: carriesBody(draft.method) ? null : `${draft.method} requests have no body`,
          content: <BodyEditor hash={view.bodyHash} problem={view.bodyProblem} />,
        },
        {
          id: "code",
          label: "Code",
          content: (open) => (
            <CodePanel
              open={open}
              base={choices.base}
              payerId={isOwn ? null : choices.userId}
              first={view.code}
            />
          ),
        },
        {
          id: "history",
          label: "History",
          content: (
            <div className="p-4">
              <noscript>
                <p>History is kept in this browser and needs JavaScript.</p>
              </noscript>
              {history.entries.length === 0 ? (
                <p className="needs-script text-dim">
                  No requests sent from this browser yet. They appear here, newest first. Select one to open
                  it again.
                </p>
              ) : (
                <HistoryList entries={history.entries} onOpen={opening.openEntry} onClear={history.clear} />
              )}
            </div>
          ),
        },
      ]}
    />
  );
}

function FormUnused() {
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 pt-4">
      <p className="text-dim">You edited the body by hand, so these fields are not used.</p>
      <UseFormButton />
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

/** Rows of name and value, and one empty row to add another. Clearing both inputs removes a row. */
function PairsEditor({ kind, legend }: { kind: "query" | "header"; legend: string }) {
  const form = useForm();
  const part = kind === "query" ? "query" : "headers";
  const pairs = form.draft[part];
  const setPairs = (next: Pair[]) => form.change({ type: "set", part: { [part]: next } });
  const rows = [...pairs, { name: "", value: "" }];
  const change = (index: number, next: Partial<Pair>) => {
    const changed = rows.map((row, at) => (at === index ? { ...row, ...next } : row));
    setPairs(changed.filter((row, at) => at < pairs.length || row.name !== "" || row.value !== ""));
  };
  return (
    <fieldset className="grid gap-2 p-4">
      <legend className="sr-only">{legend}</legend>
      {[...rows.entries()].map(([index, row]) => (
        <div key={index} className="flex gap-2">
          {(["name", "value"] as const).map((half) => (
            <input
              key={half}
              name={`${kind}.${half}`}
              aria-label={`${legend} ${half} ${index + 1}`}
              className="control wire"
              placeholder={half}
              autoComplete="off"
              value={row[half]}
              onChange={(event) => change(index, { [half]: event.target.value })}
            />
          ))}
          {index < pairs.length ? (
            <button
              type="button"
              className="button needs-script"
              aria-label={`Remove ${legend.toLowerCase()} ${index + 1}`}
              onClick={() => setPairs(pairs.filter((_, at) => at !== index))}
            >
              Remove
            </button>
          ) : null}
        </div>
      ))}
      {/* The page returns to these rows. */}
      <noscript>
        <button
          type="submit"
          name="intent"
          value="update"
          formAction={`${form.action}#${part}`}
          className="button"
        >
          Add row
        </button>
      </noscript>
    </fieldset>
  );
}
