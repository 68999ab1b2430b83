export const NO_RECIPIENT_ID = "Cannot delete recipient: No recipient ID found";

/** A recipient, as the list and `/api/mail/recipients` have it. */
export interface MailRecipient {
  /** Our id. */
  id: string;
  userId: string;
  userName: string;
  /** The provider's id; null for an inline address, which the provider does not store. */
  recipientId: string | null;
  name: string;
  email: string | null;
  /** "Portland 97205"; null if it was unknown when the recipient was added. */
  place: string | null;
  isVerified: boolean;
  createdAt: Date;
}

/** Formats a recipient for `/api/mail/recipients`. */
export function toWireRecipient({ userId, userName, place, createdAt, ...recipient }: MailRecipient) {
  return { ...recipient, createdAt: createdAt.toISOString() };
}
