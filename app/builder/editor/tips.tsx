import type { MailKind } from "./mail-kind";

const SHARED = [
  "Test mode makes a sample PDF: nothing is printed, posted or charged. Look at it, then promote it: the same payload goes live, with test off and nothing else changed.",
  "Creating sends: there is no draft at the provider and no separate send call. A live piece can be cancelled only until its production starts.",
  "A new recipient's details take the place of an existing recipient's ID.",
  "Tags find a piece again in reports; several are written with commas between them.",
  "Variables are a JSON object. {firstname} or {offer} in a text is filled from the new recipient's details and the variables; a template gets the variables with those details. An ID brings no details along.",
];

const TIPS: Record<MailKind, string[]> = {
  postcard: [
    "Front and back: JPG, PNG or PDF of one page each, at most 3000 x 3000 px for pictures. Artwork runs over the edge by the bleed, which is cut off.",
    "6x11 to its edges needs more than 3000 px: give it as a PDF, which has no such limit.",
    "A template ID or a front image is needed; with both, the provider uses the template.",
    "The signature is exactly 768 x 118 px, and stands under the message.",
    "Clear zones put white behind address and barcode, so that machines can read them.",
    ...SHARED,
  ],
  letter: [
    "A template ID, a PDF file or text content is needed.",
    "Text content becomes a PDF here: 12 pt Arial, margins of one inch, US Letter for the US base URL and A4 for the others. The first page's text starts below the place of the address (approximate).",
    "A PDF of more than ten pages is refused by the provider.",
    "In a PDF of your own, leave room for the address at the top of the first page: the proof shows where it is stamped.",
    ...SHARED,
  ],
};

/** The Tips & Guide tab of a mail form (spec §2). */
export function Tips({ kind }: { kind: MailKind }) {
  return (
    <ul className="grid list-disc gap-2 p-4 pl-8">
      {TIPS[kind].map((tip) => (
        <li key={tip}>{tip}</li>
      ))}
    </ul>
  );
}
