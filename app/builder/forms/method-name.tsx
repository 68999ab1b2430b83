/** A method, with a colour that only supports the word. */
export function MethodName({ method }: { method: string }) {
  return (
    <span
      className={`wire w-9 shrink-0 text-small font-semibold ${method === "GET" ? "text-ok" : "text-accent"}`}
    >
      {method}
    </span>
  );
}
