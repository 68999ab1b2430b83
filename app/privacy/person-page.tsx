import { Form, Link, useNavigation } from "@remix-run/react";
import type { Failure } from "~/platform/outcome";
import { Notice } from "~/ui/notice";
import { CANNOT_UNDO, count, PROVIDER_KEEPS } from "./messages";
import type { PersonView } from "./person-view";

/** What is kept about a person, as a file, and the form that erases it. */
export function PersonPage({ view, failure }: { view: PersonView; failure: Failure | null }) {
  const busy = useNavigation().formMethod === "POST";
  const kept = [
    count(view.pieces, "piece"),
    count(view.pdfs, "PDF"),
    count(view.responses, "stored response"),
  ];
  return (
    <div className="mx-auto grid w-full max-w-[1180px] grid-cols-[minmax(0,1fr)] content-start gap-4 px-4 py-4">
      <header className="grid gap-1">
        <p className="text-dim">
          <Link to="/mail?type=recipient" className="link">
            Mail Management
          </Link>{" "}
          / personal data
        </p>
        <h1 className="text-title break-words">Personal data of {view.name}</h1>
        <p className="text-dim">{view.email ?? "No e-mail"}</p>
      </header>
      {failure ? <Notice tone="bad">{failure.message}</Notice> : null}
      <p>
        {kept.join(", ")}.{" "}
        <a href={`/recipients/${view.id}/data.json`} download className="link">
          Download as JSON
        </a>
      </p>
      <Form
        method="post"
        aria-label="Erase"
        className="grid max-w-prose gap-3 border-live border-l-3 bg-live-wash p-3"
      >
        <p>
          {CANNOT_UNDO} {view.recipientId === null ? null : PROVIDER_KEEPS}
        </p>
        <label className="flex items-center gap-2">
          <input type="checkbox" name="confirmed" value="yes" required /> Erase all of it
        </label>
        <p>
          <button type="submit" name="intent" value="erase" className="button button-live" disabled={busy}>
            {busy ? "Erasing..." : "Erase personal data"}
          </button>
        </p>
      </Form>
    </div>
  );
}
