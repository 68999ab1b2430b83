/** Parts that the first screen after sign-in does not show: a separate chunk, which `lazy-answer.tsx` loads. */
export { HistoryList } from "../history/history-list";
export { ReopenNotice } from "../reopen/reopen-notice";
export { SendTested } from "../send-tested/send-tested";
export { WelcomePanel } from "../start/welcome-panel";
export { AnswerView, ResponseView } from "./answer-view";
export { Example } from "./example";
export { SavePanel } from "./save-panel";
export { SendAnyway } from "./send-anyway";
