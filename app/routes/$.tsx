/** Any address of no other route: 404, as a page that still knows who is signed in. */
export function loader(): never {
  throw new Response("Not found", { status: 404 });
}

export default function Nowhere() {
  return null;
}
