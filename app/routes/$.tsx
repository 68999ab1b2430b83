/** Answers any other address with 404, as a page for the signed-in person. */
export function loader(): never {
  throw new Response("Not found", { status: 404 });
}

export default function Nowhere() {
  return null;
}
