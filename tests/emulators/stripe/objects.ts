import { randomBytes } from "node:crypto";
import type Stripe from "stripe";

/** The objects of the API with every field that its own types demand; what the product reads is filled in. */

/** What a new session says of itself. */
export interface SessionFacts {
  id: string;
  url: string;
  livemode: boolean;
  createdSeconds: number;
  expiresSeconds: number;
  amount: number;
  currency: string;
  clientReferenceId: string | null;
  metadata: Record<string, string>;
  successUrl: string;
  cancelUrl: string | null;
  customerEmail: string | null;
}

/** `cs_test_a1B2…`, `pi_3…`: an id as long as Stripe's. */
export function mintId(prefix: string, chars = 24): string {
  return `${prefix}_${randomBytes(chars).toString("base64url").replace(/[-_]/g, "0").slice(0, chars)}`;
}

export function buildSession(facts: SessionFacts): Stripe.Checkout.Session {
  return {
    id: facts.id,
    object: "checkout.session",
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: facts.amount,
    amount_total: facts.amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: facts.cancelUrl,
    client_reference_id: facts.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: facts.createdSeconds,
    currency: facts.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: "if_required",
    customer_details: null,
    customer_email: facts.customerEmail,
    discounts: [],
    expires_at: facts.expiresSeconds,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: facts.livemode,
    locale: null,
    managed_payments: null,
    metadata: facts.metadata,
    mode: "payment",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: "if_required",
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: facts.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: facts.url,
    wallet_options: null,
  };
}

export function buildIntent(
  session: Stripe.Checkout.Session,
  metadata: Record<string, string>,
  createdSeconds: number,
): Stripe.PaymentIntent {
  return {
    id: mintId("pi"),
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount: session.amount_total ?? 0,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: null,
    confirmation_method: "automatic",
    created: createdSeconds,
    currency: session.currency ?? "usd",
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: session.livemode,
    managed_payments: null,
    metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "processing",
    transfer_data: null,
    transfer_group: null,
  };
}

export function buildCharge(intent: Stripe.PaymentIntent, createdSeconds: number): Stripe.Charge {
  return {
    id: mintId("ch"),
    object: "charge",
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: "MAILROOM",
    captured: true,
    created: createdSeconds,
    currency: intent.currency,
    customer: null,
    description: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: intent.livemode,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: null,
    paid: true,
    payment_intent: intent.id,
    payment_method: null,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "succeeded",
    transfer_data: null,
    transfer_group: null,
  };
}

/** What a charge brought after Stripe's fee of 2.9 % and 30 cents. */
export function buildBalanceTransaction(charge: Stripe.Charge): Partial<Stripe.BalanceTransaction> {
  const fee = Math.round(charge.amount * 0.029) + 30;
  return {
    id: charge.id.replace("ch_", "txn_"),
    object: "balance_transaction",
    amount: charge.amount,
    created: charge.created,
    currency: charge.currency,
    fee,
    net: charge.amount - fee,
    source: charge.id,
    status: "available",
    type: "charge",
  };
}

export function buildRefund(
  charge: Stripe.Charge,
  amount: number,
  createdSeconds: number,
): Omit<Stripe.Refund, "lastResponse"> & { charge: string } {
  return {
    id: mintId("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: createdSeconds,
    currency: charge.currency,
    customer: null,
    customer_account: null,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
}

/** Without `evidence`, which is long and of no use here. */
export function buildDispute(
  charge: Stripe.Charge,
  createdSeconds: number,
): Omit<Stripe.Dispute, "evidence" | "lastResponse"> & { charge: string } {
  return {
    id: mintId("du"),
    object: "dispute",
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: createdSeconds,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence_details: {
      due_by: null,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: charge.livemode,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: "fraudulent",
    status: "needs_response",
  };
}
