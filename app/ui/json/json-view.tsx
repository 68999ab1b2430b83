import { type ComponentType, useEffect, useState } from "react";
import { JsonTree } from "./json-tree";

type Viewer = ComponentType<{ value: unknown; label: string }>;

let loaded: Viewer | null = null;

/**
 * A JSON value with find, filter and table. These are loaded after the page has come to life; until then, and without
 * JavaScript, it is a tree alone.
 */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const [viewer, setViewer] = useState<{ show: Viewer } | null>(null);
  const large = typeof value === "object" && value !== null;
  useEffect(() => {
    if (!large) return;
    if (loaded) return setViewer({ show: loaded });
    import("./json-viewer").then(
      ({ JsonViewer }) => {
        loaded = JsonViewer;
        setViewer({ show: JsonViewer });
      },
      // The tree stays.
      () => {},
    );
  }, [large]);
  if (viewer && large) return <viewer.show value={value} label={label} />;
  return <JsonTree value={value} />;
}
