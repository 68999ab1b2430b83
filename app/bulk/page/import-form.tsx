import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { formatCount, formatInteger } from "~/platform/format-integer";
import type { Outcome } from "~/platform/outcome";
import { Field, FilterChoice } from "~/ui/field";
import { TextLink } from "~/ui/links";
import { Notice } from "~/ui/notice";
import { Submit } from "~/ui/submit";
import type { ListView } from "./load-list-page.server";

const POLL_MS = 500;

export const IMPORTING = "Importing and checking";

export function formatImporting(percent: number | null): string {
  return percent === null ? "Uploading..." : `${IMPORTING}: ${percent} %`;
}

/** Groups of the provider's account, or the failure to load them. */
export type Groups = Outcome<{ id: string; name: string; recipients: number }[]>;

type ImportFormProps = { list: ListView; typed: string; groups: Groups | null };

/** Uploads a file or pasted rows, which replace those of the list. @param typed rows of a refused paste */
export function ImportForm({ list, typed, groups }: ImportFormProps) {
  const { id, required } = list;
  const again = list.columns.length > 0;
  const rowsOwners = again ? [] : list.rowsOwners;
  const { formData } = useNavigation();
  const busy =
    formData !== undefined &&
    ["import", "import_group", "import_rows"].includes(String(formData.get("intent")));
  const percent = useImportPercent(id, busy);
  const needs =
    required.length > 0 ? ` This template needs: ${required.map((name) => `{${name}}`).join(", ")}.` : "";
  const form = (
    <div className="grid gap-6">
      <Form
        method="post"
        encType="multipart/form-data"
        className="grid max-w-[760px] gap-4"
        aria-label="Import rows"
      >
        <p className="text-dim">
          {again
            ? "Its rows replace those of the list."
            : `Row 1 holds the column names: name and address.${needs} Up to 50,000 rows and 11 MB.`}{" "}
          <a href={`/bulk/${id}/example.csv`} download className="link">
            Download an example file
          </a>
        </p>
        <Field id="bulk-file" label="CSV file">
          <input
            id="bulk-file"
            type="file"
            name="file"
            accept=".csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values"
            className="file-control"
          />
        </Field>
        <Field id="bulk-pasted" label="Or rows from a spreadsheet">
          <textarea
            id="bulk-pasted"
            name="pasted"
            rows={5}
            defaultValue={typed}
            placeholder={"First name\tLast name\tAddress\tCity\tPostcode\tCountry"}
            className="control wire w-full"
          />
        </Field>
        <p>
          <Submit intent="import" working="Importing..." className={again ? "" : "button-primary"}>
            Import
          </Submit>
        </p>
        {busy ? <ImportProgress percent={percent} /> : null}
      </Form>
      {rowsOwners.length > 0 ? (
        <Form method="post" aria-label="Take rows" className="flex flex-wrap items-end gap-3">
          <FilterChoice
            label="Or the rows of another list"
            name="from"
            options={rowsOwners.map(({ id, name, rows }) => [id, `${name}, ${formatCount(rows, "row")}`])}
          />
          <Submit intent="import_rows">Take these rows</Submit>
        </Form>
      ) : null}
      <GroupForm groups={groups} />
    </div>
  );
  if (!again) return form;
  return (
    <details className="border-line border-t pt-2" open={typed === "" && groups === null ? undefined : true}>
      <summary className="cursor-pointer py-1">Import another file</summary>
      <div className="pt-2">{form}</div>
    </details>
  );
}

/** Polls the progress of an import while it is posted; null until the server has the file. */
function useImportPercent(id: string, busy: boolean): number | null {
  const [percent, setPercent] = useState<number | null>(null);
  useEffect(() => {
    if (!busy) return;
    setPercent(null);
    const left = new AbortController();
    const { signal } = left;
    const timer = setInterval(async () => {
      // The form reports its own failure; a missed answer only leaves the bar where it is.
      const reply = await fetch(`/bulk/${encodeURIComponent(id)}/import`, { signal }).catch(() => null);
      const answer: { percent?: number | null } | null = reply?.ok
        ? await reply.json().catch(() => null)
        : null;
      if (answer && !signal.aborted) setPercent((before) => answer.percent ?? before);
    }, POLL_MS);
    return () => {
      clearInterval(timer);
      left.abort();
    };
  }, [busy, id]);
  return percent;
}

/** Shows the progress of an import. @param percent null until the server has the file */
export function ImportProgress({ percent }: { percent: number | null }) {
  return (
    <div className="max-w-[760px]">
      <p className="text-dim tabular-nums">{formatImporting(percent)}</p>
      <progress
        aria-label={IMPORTING}
        {...(percent === null ? {} : { value: percent, max: 100 })}
        className="mt-1 block h-2 w-full accent-accent"
      />
    </div>
  );
}

/** Imports a group. The groups are fetched from the provider only on request. */
function GroupForm({ groups }: { groups: Groups | null }) {
  if (groups === null) {
    return (
      <p>
        <TextLink to="?groups=1" preventScrollReset>
          Or choose a group of the provider's account
        </TextLink>
      </p>
    );
  }
  if (!groups.ok) return <Notice tone="warn">{groups.failure.message}</Notice>;
  if (groups.value.length === 0) return <p className="text-dim">The provider's account has no groups.</p>;
  return (
    <Form method="post" className="flex max-w-[760px] flex-wrap items-end gap-2" aria-label="Import a group">
      <FilterChoice
        label="Group of the provider's account"
        name="group"
        options={groups.value.map(({ id, name, recipients }) => [
          id,
          `${name} (${formatInteger(recipients)})`,
        ])}
        className="min-w-0 flex-1"
        aria-describedby="bulk-group-about"
      />
      <Submit intent="import_group" working="Importing...">
        Import group
      </Submit>
      <p id="bulk-group-about" className="w-full text-small text-dim">
        The recipients of a group as the provider has them now. What you correct here stays in this list.
      </p>
    </Form>
  );
}
