export const NO_RECIPIENT_ID = "Cannot delete recipient: No recipient ID found";

/** Recipients as the list and `/api/mail/recipients` have them. */
export interface MailRecipient {
  /** Ours. */
  id: string;
  userId: string;
  userName: string;
  /** The provider's; null for an address that was given inline, which the provider does not keep. */
  recipientId: string | null;
  name: string;
  email: string | null;
  /** "Portland 97205"; null where it was not known when the recipient was added. */
  place: string | null;
  isVerified: boolean;
  createdAt: Date;
}

/** Formats a recipient for `/api/mail/recipients`. */
export function toWireRecipient({ userId, userName, place, createdAt, ...recipient }: MailRecipient) {
  return { ...recipient, createdAt: createdAt.toISOString() };
}
