interface Shortcut {
  /** Keys in sequence; keys in one text together. */
  keys: readonly string[];
  does: string;
  /** True when it also works with single keys switched off. */
  always?: boolean;
}

/** Pages that `g` and one more key open. */
export const TAB_KEYS: Readonly<Record<string, string>> = { b: "/", s: "/stored", c: "/users", m: "/mail" };

export const SHORTCUT_GROUPS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: "Everywhere",
    shortcuts: [
      { keys: ["Ctrl K"], does: "Search everything (⌘ K on a Mac)", always: true },
      { keys: ["/"], does: "Go to the page's search, or search everything" },
      { keys: ["g", "b"], does: "Open API Builder" },
      { keys: ["g", "s"], does: "Open Stored Responses" },
      { keys: ["g", "c"], does: "Open User Credits" },
      { keys: ["g", "m"], does: "Open Mail Management" },
      { keys: ["?"], does: "Show this list" },
    ],
  },
  {
    title: "In lists",
    shortcuts: [
      { keys: ["j"], does: "Next row" },
      { keys: ["k"], does: "Previous row" },
      { keys: ["Enter"], does: "Open the row" },
      { keys: ["x"], does: "Select the row" },
    ],
  },
  {
    title: "In the API Builder",
    shortcuts: [
      {
        keys: ["Ctrl Enter"],
        does: "Send a request or a test; live mail is sent by its button only",
        always: true,
      },
    ],
  },
];
