import type { Viewer } from "~/people/viewer.server";
import { UNKNOWN_FORM } from "~/platform/http/page-form.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { erasePerson, loadPersonData } from "./erase-person.server";
import { NOT_CONFIRMED } from "./messages";
import type { PersonView } from "./person-view";

/** What the page shows. Fails as {@link loadPersonData} does. */
export async function loadPersonView(id: string): Promise<Outcome<PersonView>> {
  const found = await loadPersonData(id);
  if (!found.ok) return found;
  const { person, pieces, responses } = found.value;
  return succeed({
    id: person.id,
    name: person.name,
    email: person.email,
    recipientId: person.recipientId,
    pieces: pieces.length,
    pdfs: pieces.filter(({ hasPdf }) => hasPdf).length,
    responses: responses.length,
  });
}

/** Handles the page's form, `intent` erase with `confirmed`, and gives the sentence to show. */
export async function handlePersonPost(form: FormData, id: string, viewer: Viewer): Promise<Outcome<string>> {
  if (form.get("intent") !== "erase") return { ok: false, failure: UNKNOWN_FORM };
  return form.get("confirmed") === "yes" ? erasePerson(id, viewer) : fail("bad_input", NOT_CONFIRMED);
}
