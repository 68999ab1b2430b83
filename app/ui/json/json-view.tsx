import { type ComponentType, useEffect, useState } from "react";
import { JsonTree } from "./json-tree";

type Viewer = ComponentType<{ text: string; label: string }>;

let loaded: Viewer | null = null;

/**
 * A JSON text with find, filter and table, which are loaded after hydration. Until then, and without JavaScript, it is a tree.
 */
export function JsonView({ text, label }: { text: string; label: string }) {
  const [viewer, setViewer] = useState<{ show: Viewer } | null>(null);
  const large = /^\s*[[{]/.test(text);
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
  if (viewer && large) return <viewer.show text={text} label={label} />;
  return <JsonTree text={text} />;
}
