export function loader(): Response {
  return Response.json({ status: "up" });
}
