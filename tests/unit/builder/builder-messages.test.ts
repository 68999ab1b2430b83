import { describe, expect, test } from "vitest";
import * as autosave from "~/builder/autosave/messages";
import * as editor from "~/builder/editor/messages";
import * as rules from "~/builder/editor/rules/messages";
import * as builder from "~/builder/messages";
import * as reopen from "~/builder/reopen/messages";
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
    expect(sendTested.formatSendTested("postcard: 1 credit")).toBe(
      "Send tested piece live: postcard: 1 credit",
    );
    expect(sendTested.formatTestedSent(1)).toBe("Sent. 1 credit charged.");
    expect(sendTested.formatTestedSent(null)).toBe("Its page shows whether it was mailed.");
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
    expect(builder.formatBuyCredits()).toBe("Buy 100 credits for $9.99");
    expect(builder.formatBuyFor("Ana Ruiz")).toBe("For Ana Ruiz. You will return to this draft.");
  });

  test("what keeps a request from being sent", () => {
    expect(builder.SEND_BLOCKS.invalid_json.title).toBe("Invalid JSON.");
    expect(builder.READING_FILE).toBe("A file is being read. Send when it is attached.");
    expect(builder.ANSWER_NOT_LOADED).toBe(
      "Nothing was sent: a part of this page could not be loaded. Check the connection and load the page again.",
    );
    expect(builder.SENT_WHEN_READ).toBe("Reading the file…");
    expect(builder.formatUnfilledName("id")).toBe("{id} in the path has no value");
    expect(builder.formatGivenTwice("Header", "accept")).toBe("Header accept is given twice");
    expect(builder.formatMissingFiles(["a.pdf", "b.pdf"])).toBe(
      "History does not keep large files. Choose a.pdf, b.pdf again.",
    );
  });

  test("what is wrong with the path and its rows", () => {
    expect(builder.BROKEN_PERCENT).toBe(
      "The path has a % without two hex digits after it; write %25 for a percent sign",
    );
    expect(builder.formatTooManyPairs("Header", 200)).toBe("Headers: 200 at most");
    expect(builder.formatPairsDropped("Query parameter", 60_000, 200)).toBe(
      "Query parameters: only the first 200 of 60,000 were kept",
    );
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

test("a reopened request", () => {
  expect(reopen.formatReopenTitle(false, false)).toBe("Opened as it was sent.");
  expect(reopen.formatReopenTitle(false, true)).toBe("Opened with changes.");
  expect(reopen.formatReopenTitle(true, true)).toBe("New request.");
  expect(reopen.formatReopened("21 Nov 2026, 13:05 UTC")).toBe(
    "Copy of the request sent on 21 Nov 2026, 13:05 UTC. Sending it makes a new request.",
  );
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
    expect(rules.formatRecipientNotFound("Jo")).toBe(
      'No saved recipient is called "Jo". Choose one from the list or enter an ID.',
    );
    expect(rules.formatRecipientAmbiguous("Jo")).toBe(
      'Several saved recipients are called "Jo". Choose one from the list.',
    );
    expect(editor.formatMoreRecipients(52)).toBe("52 more. Type more to narrow the search.");
    expect(editor.formatSearchRecipients(60)).toBe("Search 60 recipients");
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
    expect(start.formatAlarms(2)).toBe("2 alarms need a decision");
  });

  test("says what Mailroom is, how to begin, and that nothing was mailed yet", () => {
    expect({ ...start }).toMatchInlineSnapshot(`
      {
        "LAST_USED": "Last used:",
        "NO_PIECES": "Nothing was mailed yet. Live mail of the current user appears here with its state.",
        "PITCH": "Send postcards and letters through your provider's API, and see what became of each one.",
        "PITCH_POINTS": [
          "What you tested is what is mailed: once, and charged once.",
          "One page shows each piece: its PDF, its way, its price.",
          "The provider's key stays on the server.",
        ],
        "PITCH_STEPS": [
          [
            "09:12",
            "Tested: PDF checked",
          ],
          [
            "09:14",
            "Sent live: 1 credit",
          ],
          [
            "1 day",
            "Printed",
          ],
          [
            "3 days",
            "Delivered",
          ],
        ],
        "START_LETTER": {
          "about": "Type it or attach a PDF, test it, then mail it.",
          "name": "Write a letter",
        },
        "START_POSTCARD": {
          "about": "Design it, test it, then mail what you tested.",
          "name": "Send a postcard",
        },
        "START_TITLE": "What do you want to mail?",
        "formatAlarms": [Function],
        "formatAvailable": [Function],
        "formatMonth": [Function],
      }
    `);
  });
});
