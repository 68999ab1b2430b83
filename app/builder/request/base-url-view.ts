export interface BaseUrlView {
  label: string;
  url: string;
  /** Whether `.json` is appended to every path sent there. */
  appendJson: boolean;
}
