/**
 * Recovery, as the source of an event. The stored value is older than the name: a check of the table `mail_events` lists
 * it, and rows of the history are never changed.
 */
export const RECOVERY = "reconcile";
