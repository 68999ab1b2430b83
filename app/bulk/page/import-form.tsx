import { Form, useNavigation } from "@remix-run/react";
import { IMPORT_ABOUT, IMPORT_AGAIN, PASTE_PLACEHOLDER } from "../messages";

/** Uploads a file or pasted rows. @param typed what was pasted before, if it was refused */
export function ImportForm({ again, typed }: { again: boolean; typed: string }) {
  const { formData } = useNavigation();
  const busy = formData?.get("intent") === "import";
  const form = (
    <Form
      method="post"
      encType="multipart/form-data"
      className="grid max-w-[760px] gap-4"
      aria-label="Import rows"
    >
      <p className="text-dim">{again ? IMPORT_AGAIN : IMPORT_ABOUT}</p>
      <div>
        <label htmlFor="bulk-file" className="mb-1 block">
          CSV file
        </label>
        <input
          id="bulk-file"
          type="file"
          name="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values"
          className="control"
        />
      </div>
      <div>
        <label htmlFor="bulk-pasted" className="mb-1 block">
          Or rows from a spreadsheet
        </label>
        <textarea
          id="bulk-pasted"
          name="pasted"
          rows={5}
          defaultValue={typed}
          placeholder={PASTE_PLACEHOLDER}
          className="control wire w-full"
        />
      </div>
      <p>
        <button
          type="submit"
          name="intent"
          value="import"
          className={again ? "button" : "button button-primary"}
          disabled={busy}
        >
          {busy ? "Importing and checking..." : "Import"}
        </button>
      </p>
      {busy ? <progress aria-label="Importing" className="h-1.5 w-full accent-accent" /> : null}
    </Form>
  );
  if (!again) return form;
  return (
    <details className="border-line border-t pt-2" open={typed === "" ? undefined : true}>
      <summary className="cursor-pointer py-1">Import another file</summary>
      <div className="pt-2">{form}</div>
    </details>
  );
}
