/** Allowed imports: routes -> features -> outside -> platform; between features only these. */
const MAY_USE = {
  find: ["api-log", "alarms", "bulk", "mail", "pieces", "recipients", "responses", "credits", "people"],
  builder: [
    "api-log",
    "alarms",
    "bulk",
    "proxy",
    "print",
    "pieces",
    "recipients",
    "responses",
    "credits",
    "people",
  ],
  bulk: ["alarms", "proxy", "print", "pieces", "recipients", "credits", "people", "tokens"],
  api: ["webhooks", "tokens", "proxy", "mail", "pieces", "responses", "credits", "people"],
  proxy: ["tokens", "print", "pieces", "recipients", "responses", "credits", "alarms", "people"],
  mail: ["pieces", "recipients", "responses", "credits", "alarms", "people"],
  audit: ["people"],
  doctor: ["reconciliation", "pieces", "alarms"],
  insights: ["pieces", "responses", "credits", "people"],
  reconciliation: ["mail", "pieces", "credits", "alarms", "people"],
  webhooks: ["pieces", "alarms", "people"],
  "api-log": ["people"],
  privacy: ["api-log", "webhooks", "bulk", "builder", "pieces", "recipients", "responses", "people"],
  print: [],
  pieces: ["tokens", "print", "recipients", "credits", "alarms", "people"],
  recipients: ["people"],
  responses: ["alarms", "pieces", "recipients", "credits", "people"],
  credits: ["alarms", "people"],
  alarms: ["people"],
  people: ["tokens"],
  tokens: [],
};
const FEATURES = Object.keys(MAY_USE);

const forbid = (name, from, to) => ({ name, severity: "error", from, to });

const betweenFeatures = FEATURES.map((feature) => {
  const others = FEATURES.filter((other) => other !== feature && !MAY_USE[feature].includes(other));
  const to = { path: `^app/(${others.join("|")})/` };
  return forbid(`${feature}-uses-only-its-neighbours`, { path: `^app/${feature}/` }, to);
});

/** The layers of the Builder; each may import those before it. The history is part of the page. */
const BUILDER_LAYERS = ["draft", "forms", "send", "answer", "(page|history)"];

const withinBuilder = BUILDER_LAYERS.slice(0, -1).map((layer, at) => {
  const to = { path: `^app/builder/(${BUILDER_LAYERS.slice(at + 1).join("|")})/` };
  return forbid(`builder-${layer}-imports-no-layer-above-it`, { path: `^app/builder/${layer}/` }, to);
});

module.exports = {
  forbidden: [
    forbid("no-circles", {}, { circular: true }),
    forbid("nothing-imports-routes", { path: "^app/" }, { path: "^app/routes/" }),
    forbid(
      "platform-knows-only-itself",
      { path: "^app/platform/" },
      { path: "^app/", pathNot: "^app/platform/" },
    ),
    forbid(
      "outside-knows-platform-and-catalogue",
      { path: "^app/outside/([^/]+)/" },
      { path: "^app/", pathNot: "^app/(platform|outside/$1|catalogue)/" },
    ),
    forbid("catalogue-is-data", { path: "^app/catalogue/" }, { path: "^app/", pathNot: "^app/catalogue/" }),
    forbid(
      "ui-has-no-business-words",
      { path: "^app/ui/" },
      { path: "^app/", pathNot: "^app/(ui|catalogue|platform)/" },
    ),
    // Remix's Vite plugin refuses it when it builds; here it is found without a build.
    forbid(
      "what-is-seen-never-needs-the-server",
      { path: "^app/(?!routes/|root\\.tsx|entry\\.server).*\\.tsx?$", pathNot: "\\.server\\.tsx?$" },
      { path: "\\.server\\.tsx?$", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "zod-stays-on-the-server",
      { path: "^app/", pathNot: "\\.server\\.tsx?$" },
      { path: "node_modules/zod", dependencyTypesNot: ["type-only"] },
    ),
    forbid("product-never-imports-tests", { path: "^app/" }, { path: "^tests/" }),
    ...betweenFeatures,
    ...withinBuilder,
  ],
  options: {
    doNotFollow: { path: "node_modules|^prisma/client" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
