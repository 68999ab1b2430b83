/** A form-encoded body with brackets, as a tree; lists are trees with the keys 0, 1, 2, … */
export interface FormTree {
  [name: string]: string | FormTree;
}

/** `line_items[0][quantity]=1&mode=payment` as a tree. A name given twice keeps its last value. */
export function parseForm(text: string): FormTree {
  const tree = newTree();
  for (const [name, value] of new URLSearchParams(text)) {
    const steps = name.replaceAll("]", "").split("[");
    const last = steps.pop() ?? "";
    let place = tree;
    for (const step of steps) {
      const next = place[step];
      if (typeof next === "object") place = next;
      else {
        const made = newTree();
        place[step] = made;
        place = made;
      }
    }
    place[last] = value;
  }
  return tree;
}

/** The text at a dotted path, or null. */
export function readText(tree: FormTree, path: string): string | null {
  let place: string | FormTree | undefined = tree;
  for (const step of path.split(".")) place = typeof place === "object" ? place[step] : undefined;
  return typeof place === "string" ? place : null;
}

/** Every path that has a text, dotted; positions in lists are `#`. */
export function listPaths(tree: FormTree, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const path = prefix + (/^\d*$/.test(name) ? "#" : name);
    return typeof value === "string" ? [path] : listPaths(value, `${path}.`);
  });
}

/** The texts directly below a dotted path, by name. */
export function readTexts(tree: FormTree, path: string): Record<string, string> {
  let place: string | FormTree | undefined = tree;
  for (const step of path.split(".")) place = typeof place === "object" ? place[step] : undefined;
  return Object.fromEntries(
    Object.entries(typeof place === "object" ? place : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

/** Without a prototype: names come from outside. */
function newTree(): FormTree {
  return Object.create(null) as FormTree;
}
