import { Badge } from "~/ui/badge";
import { KEY_ABSENT, KEY_PRESENT } from "./messages";

const FEATURES = [
  "per-endpoint form fields",
  "file upload with base64 conversion for PDF and JPG",
  "required/optional validation",
  "automatic request building",
  "server-side authentication",
  "response storage",
];

/** The API Security card: whether the server has a key, and what the Builder can do. */
export function SecurityCard({ hasServerKey }: { hasServerKey: boolean }) {
  return (
    <details className="border-line border-t px-4 py-3">
      <summary>
        <h2 className="mr-2 inline">API Security</h2>
        <Badge tone={hasServerKey ? "ok" : "warn"}>
          {hasServerKey ? "Server key detected (secure)" : "No server key configured"}
        </Badge>
      </summary>
      <p className="mt-1 text-dim">{hasServerKey ? KEY_PRESENT : KEY_ABSENT}</p>
      <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-dim">
        {FEATURES.map((feature) => (
          <li key={feature}>
            <span aria-hidden className="text-ok">
              ✓{" "}
            </span>
            {feature}
          </li>
        ))}
      </ul>
    </details>
  );
}
