import { describe, expect, test } from "vitest";
import * as autosave from "~/builder/autosave/messages";
import * as editor from "~/builder/editor/messages";
import * as rules from "~/builder/editor/rules/messages";
import * as builder from "~/builder/messages";
import * as response from "~/builder/response/messages";
import * as sendTested from "~/builder/send-tested/messages";
import * as start from "~/builder/start/messages";

/** What the Builder says, to be read in a row. Other tests import the constants or match codes and roles. */

describe("Sending", () => {
  test("the button says what is sent, what it costs and what is left", () => {
    expect(builder.formatLiveSend("postcard 4x6 to J. Smith, Leeds", "postcard", 41)).toBe(
      "postcard 4x6 to J. Smith, Leeds: 1 credit, leaves 40",
    );
    expect(builder.formatLiveSend("letter", "letter", 1_002)).toBe("letter: 2 credits, leaves 1,000");
    expect(builder.formatLiveSend("letter", "letter", 2)).toBe("letter: 2 credits, leaves 0");
    expect(builder.formatLiveSend("letter", "letter", 1)).toBe("letter: 2 credits, you have 1");
    expect(builder.formatLiveSend("letter", "letter", null)).toBe("letter: 2 credits");
    expect(builder.formatLivePrice(1, 81)).toBe("Live: 1 credit, leaves 80");
    expect(builder.formatLivePrice(2, null)).toBe("Live: 2 credits");
  });

  test("a tested piece", () => {
    expect(sendTested.formatTestedPrice("0.99", "postcard", true, null)).toBe(
      "Provider's price: $0.99. Mailroom charges 1 credit.",
    );
    expect(sendTested.formatTestedPrice("0.99", "letter", false, null)).toBe(
      "Provider's price: 0.99 (account currency). Mailroom charges 2 credits.",
    );
    expect(sendTested.formatTestedPrice(null, "letter", true, null)).toBe("Mailroom charges 2 credits.");
    expect(sendTested.formatTestedPrice("0.99", "postcard", true, 1)).toBe(
      "Provider's price: $0.99. Mailroom charged 1 credit.",
    );
  });

  test("what happened to the credits", () => {
    const moved = { credits: 1, as: "charged", replayed: false, balance: 4 } as const;
    expect(response.formatCreditsMoved(moved)).toBe("1 credit charged. Balance 4.");
    expect(response.formatCreditsMoved({ ...moved, credits: 2, as: "refunded", balance: null })).toBe(
      "2 credits refunded.",
    );
    expect(response.formatCreditsMoved({ ...moved, replayed: true })).toBe(
      "1 credit charged by the first send, none now. Balance 4.",
    );
    expect(response.formatCreditsMoved({ ...moved, held: 2 })).toBe(
      "1 credit charged. Balance 4, of which 2 are held.",
    );
    expect(response.formatBalance(5, 1)).toBe(" Balance 5, of which 1 is held.");
    expect(builder.formatShort(2, 1)).toBe("You need 2 credits and have 1.");
  });
});

test("saving a response", () => {
  expect(response.SAVE_NEEDS_USER).toBe("Please select a user before saving the response");
  expect(response.formatSaveFailed(500)).toBe("Failed to save response: 500");
});

test("a saved draft", () => {
  const saved = { inForm: true, live: false, outcomeUnknown: false, missing: [] };
  expect(autosave.formatSavedDraft("16:05", saved)).toBe("Your draft from 16:05 is restored.");
  expect(autosave.formatSavedDraft("16:05", { ...saved, inForm: false, live: true })).toBe(
    "Your draft from 16:05 is set aside.",
  );
  expect(
    autosave.formatSavedDraft("16:05", {
      inForm: true,
      live: true,
      outcomeUnknown: true,
      missing: ["a", "b"],
    }),
  ).toBe(
    "Your draft from 16:05 is restored. It was sent live and the outcome is not known. Check before you send it again. Test mode is on again. Choose a, b again: they were not saved.",
  );
});

test("what became of a live send during which the page was left", () => {
  const send = { id: "s", type: "letter", recipient: "Amelia Hartwell", created_at: "", note: null } as const;
  const say = (state: string, isOpen = false) =>
    autosave.formatEarlierSend("letter", { ...send, state }, "03:17", isOpen);
  expect([
    say("checking", true),
    say("accepted"),
    say("needs_decision"),
    say("refused"),
    autosave.formatEarlierSend("letter", null, "", true),
    autosave.formatEarlierSend("letter", null, "", false),
  ]).toEqual([
    "Your letter to Amelia Hartwell is being checked. Do not send it again.",
    "Your letter to Amelia Hartwell was sent at 03:17.",
    "Your letter to Amelia Hartwell may have been mailed and needs a decision.",
    "Your letter to Amelia Hartwell was not sent: the provider refused it.",
    "Your letter is being checked. Do not send it again.",
    "Your letter was not sent. Nothing was charged.",
  ]);
});

describe("The mail forms", () => {
  test("rules", () => {
    expect(rules.SIZE_REQUIRED).toBe("Size is required - please select a postcard dimension");
    expect(rules.POSTCARD_CONTENT_REQUIRED).toBe(
      "Either a template ID or front image is required to create the postcard",
    );
    expect(rules.LETTER_CONTENT_REQUIRED).toBe("Either template ID, PDF file, or text content is required");
    expect(rules.VARIABLES_INVALID).toBe("Variables must be valid JSON");
    expect(rules.formatRecipientIncomplete(["city"])).toBe("The new recipient needs city");
    expect(rules.formatRecipientIncomplete(["last name", "city", "country"])).toBe(
      "The new recipient needs last name, city and country",
    );
  });

  test("readiness", () => {
    expect(editor.formatReadiness("postcard", 2)).toBe("2 issue(s) need attention");
    expect(editor.formatReadiness("postcard", 0)).toBe("Ready to create postcard!");
  });

  test("recipients", () => {
    expect(Object.values(editor.LOAD_FAILURES).map(editor.formatLoadFailed)).toEqual([
      "Could not load recipients: No user selected.",
      "Could not load recipients: Failed to fetch recipients.",
      "Could not load recipients: Failed to parse recipients response.",
      "Could not load recipients: Invalid response format from recipients API.",
    ]);
    expect(editor.NO_RECIPIENTS).toBe("No recipients found for this user.");
  });
});

test("every message is short: at most three sentences of 20 words", () => {
  const texts = [builder, editor].flatMap((messages) =>
    Object.values(messages).filter((message): message is string => typeof message === "string"),
  );
  for (const text of texts) {
    const sentences = text.split(/[.!?] /);
    expect(sentences.length, text).toBeLessThanOrEqual(3);
    for (const sentence of sentences) expect(sentence.split(" ").length, sentence).toBeLessThanOrEqual(20);
  }
});

describe("The first screen", () => {
  test("counts in words that fit the number", () => {
    const month = { name: "November", pieces: 1, credits: 1 };
    expect(start.formatMonth(month)).toBe("November: 1 piece, 1 credit");
    expect(start.formatMonth({ ...month, pieces: 1_200, credits: 1_400 })).toBe(
      "November: 1,200 pieces, 1,400 credits",
    );
    expect(start.formatAvailable(81)).toBe("81 credits available");
    expect(start.formatAlarms(1)).toBe("1 alarm needs a decision");
  });
});
