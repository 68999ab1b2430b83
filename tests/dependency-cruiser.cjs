/** Allowed imports: routes -> features -> outside -> platform; between features only these. */
const MAY_USE = {
  find: ["api-log", "alarms", "mail", "pieces", "recipients", "responses", "credits", "people"],
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
  bulk: ["alarms", "proxy", "print", "pieces", "recipients", "credits", "people"],
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

const betweenFeatures = FEATURES.map((feature) => ({
  name: `${feature}-uses-only-its-neighbours`,
  severity: "error",
  from: { path: `^app/${feature}/` },
  to: {
    path: `^app/(${FEATURES.filter((other) => other !== feature && !MAY_USE[feature].includes(other)).join("|")})/`,
  },
}));

/** The layers of the Builder; each may import those before it. The history is part of the page. */
const BUILDER_LAYERS = ["draft", "forms", "send", "answer", "(page|history)"];

const withinBuilder = BUILDER_LAYERS.slice(0, -1).map((layer, at) => ({
  name: `builder-${layer}-imports-no-layer-above-it`,
  severity: "error",
  from: { path: `^app/builder/${layer}/` },
  to: { path: `^app/builder/(${BUILDER_LAYERS.slice(at + 1).join("|")})/` },
}));

module.exports = {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "nothing-imports-routes",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^app/routes/" },
    },
    {
      name: "platform-knows-only-itself",
      severity: "error",
      from: { path: "^app/platform/" },
      to: { path: "^app/", pathNot: "^app/platform/" },
    },
    {
      name: "outside-knows-platform-and-catalogue",
      severity: "error",
      from: { path: "^app/outside/([^/]+)/" },
      to: { path: "^app/", pathNot: "^app/(platform|outside/$1|catalogue)/" },
    },
    {
      name: "catalogue-is-data",
      severity: "error",
      from: { path: "^app/catalogue/" },
      to: { path: "^app/", pathNot: "^app/catalogue/" },
    },
    {
      name: "ui-has-no-business-words",
      severity: "error",
      from: { path: "^app/ui/" },
      to: { path: "^app/", pathNot: "^app/(ui|catalogue|platform)/" },
    },
    {
      name: "what-is-seen-never-needs-the-server",
      comment: "Remix's Vite plugin refuses it when it builds; here it is found without a build.",
      severity: "error",
      from: { path: "^app/(?!routes/|root\\.tsx|entry\\.server).*\\.tsx?$", pathNot: "\\.server\\.tsx?$" },
      to: { path: "\\.server\\.tsx?$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "zod-stays-on-the-server",
      severity: "error",
      from: { path: "^app/", pathNot: "\\.server\\.tsx?$" },
      to: { path: "node_modules/zod", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "product-never-imports-tests",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^tests/" },
    },
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
