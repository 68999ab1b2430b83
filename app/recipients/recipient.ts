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

/** As `/api/mail/recipients` spells it. */
export function toWireRecipient(recipient: MailRecipient) {
  return {
    id: recipient.id,
    recipientId: recipient.recipientId,
    name: recipient.name,
    email: recipient.email,
    isVerified: recipient.isVerified,
    createdAt: recipient.createdAt.toISOString(),
  };
}
