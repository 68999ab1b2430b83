export interface paths {
    "/api/pieces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pieces, newest first
         * @description Scope: `read`.
         */
        get: operations["listPieces"];
        put?: never;
        /**
         * Send a letter or postcard
         * @description Live mail needs an idempotency key. A key stands for one piece of one person: repeated with the same request it gives the first answer (`replayed`), with another request 422.
         *
         *     Scope: `send:test` for a test, `send:live` for live mail.
         */
        post: operations["createPiece"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pieces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one piece
         * @description Scope: `read`.
         */
        get: operations["getPiece"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pieces/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a piece and refund it
         * @description Scope: `send:live`.
         */
        post: operations["cancelPiece"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "piece.accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The provider has a live piece, and it was charged.
         * @description Signed by the Standard Webhooks scheme. Tried 10 times in 3 days until it is answered with 2xx.
         */
        post: operations["onPieceAccepted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "piece.refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A live piece was not mailed, and its credits were released.
         * @description Signed by the Standard Webhooks scheme. Tried 10 times in 3 days until it is answered with 2xx.
         */
        post: operations["onPieceRefused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "piece.status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The provider moved a piece on: printed, handed over, delivered, returned.
         * @description Signed by the Standard Webhooks scheme. Tried 10 times in 3 days until it is answered with 2xx.
         */
        post: operations["onPieceStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "piece.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A piece was cancelled and refunded.
         * @description Signed by the Standard Webhooks scheme. Tried 10 times in 3 days until it is answered with 2xx.
         */
        post: operations["onPieceCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "piece.needs_decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Only a person can tell whether a piece was mailed.
         * @description Signed by the Standard Webhooks scheme. Tried 10 times in 3 days until it is answered with 2xx.
         */
        post: operations["onPieceNeedsDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "batch.finished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A list was sent to its end, or stopped.
         * @description Signed by the Standard Webhooks scheme. Tried 10 times in 3 days until it is answered with 2xx.
         */
        post: operations["onBatchFinished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "balance.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A balance fell below 50 or 10 credits. Told once, until credits are added.
         * @description Signed by the Standard Webhooks scheme. Tried 10 times in 3 days until it is answered with 2xx.
         */
        post: operations["onBalanceLow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        NewPiece: {
            /** @constant */
            type: "postcard";
            content: {
                /** @enum {string} */
                size: "4x6" | "6x9" | "6x11";
                /** @description ID of a design in the account. */
                template?: string | number;
                /** @description The file as base64, or an https address of it. */
                front?: string;
                /** @description The file as base64, or an https address of it. */
                back?: string;
                message?: string;
                /** @description The file as base64, or an https address of it. */
                signature?: string;
                font?: string;
                font_size?: number;
                font_colour?: string;
                padding?: number;
                clearzone?: boolean;
                /** @description Whether to post to an address that cannot be verified. */
                post_unverified?: boolean;
                addons?: string[];
                /** @description Values for {placeholders} in texts and templates. */
                variables?: {
                    [key: string]: string | number;
                };
            };
            /**
             * @description `test`: a free sample, nothing is mailed. `live`: real mail, paid with credits.
             * @enum {string}
             */
            mode: "test" | "live";
            recipient: {
                title?: string;
                firstname?: string;
                lastname?: string;
                company?: string;
                address1: string;
                address2?: string;
                city?: string;
                state?: string;
                postcode?: string;
                country: string;
                email?: string;
                phone?: string;
            } | {
                /** @description A recipient saved at the provider. */
                id: string | number;
            };
            /** @description Who pays; the token's owner without it. */
            user_id?: string;
            tags?: string[];
            /** @description The same as the header `Idempotency-Key`. */
            idempotency_key?: string;
            /** @description Given: live mail is refused when the same content was sent to the same address in the last 7 days, unless that piece has this ID. */
            known_duplicate?: string | null;
        } | {
            /** @constant */
            type: "letter";
            content: {
                /** @description Of the paper, as the provider names it. */
                size?: string;
                /** @description ID of a design in the account. */
                template?: string | number;
                /** @description A PDF as base64, or an https address of it. */
                file?: string;
                /** @description The letter's text, made into a PDF here. */
                text?: string;
                /** @description Both sides; without it the provider prints both. */
                duplex?: boolean;
                colour?: boolean;
                paper_type?: string;
                envelope_type?: string;
                /** @description Whether to post to an address that cannot be verified. */
                post_unverified?: boolean;
                addons?: string[];
                /** @description Values for {placeholders} in texts and templates. */
                variables?: {
                    [key: string]: string | number;
                };
            };
            /**
             * @description `test`: a free sample, nothing is mailed. `live`: real mail, paid with credits.
             * @enum {string}
             */
            mode: "test" | "live";
            recipient: {
                title?: string;
                firstname?: string;
                lastname?: string;
                company?: string;
                address1: string;
                address2?: string;
                city?: string;
                state?: string;
                postcode?: string;
                country: string;
                email?: string;
                phone?: string;
            } | {
                /** @description A recipient saved at the provider. */
                id: string | number;
            };
            /** @description Who pays; the token's owner without it. */
            user_id?: string;
            tags?: string[];
            /** @description The same as the header `Idempotency-Key`. */
            idempotency_key?: string;
            /** @description Given: live mail is refused when the same content was sent to the same address in the last 7 days, unless that piece has this ID. */
            known_duplicate?: string | null;
        };
        Piece: {
            id: string;
            /** @enum {string} */
            mode: "test" | "live";
            /** @enum {string} */
            type: "postcard" | "letter";
            /**
             * @description `checking`: it may have been mailed and is being looked into. `needs_decision`: a person has to.
             * @enum {string}
             */
            state: "test" | "checking" | "needs_decision" | "accepted" | "refused" | "cancelling" | "cancelled";
            /** @description The provider's own word for where it is. */
            status: string | null;
            status_at: string | null;
            provider_id: string | null;
            /** @description Who pays. */
            user_id: string;
            /** @description Who sent it, with the token's name behind `via`. */
            actor_id: string;
            recipient: string | null;
            credits: {
                cost: number;
                /** @description Reserved until the outcome is known. */
                held: number;
                charged: number;
            };
            /** @description Why it was refused, or what is not known. */
            note: string | null;
            /** @description Its page in Mailroom; null for a test. */
            url: string | null;
            /** Format: date-time */
            created_at: string;
            settled_at: string | null;
        };
        CreatedPiece: {
            /** @constant */
            success: true;
            data: components["schemas"]["Piece"];
            /** @description The key was used before: nothing was sent again. */
            replayed: boolean;
            /** @description What else there is to know, such as how the piece was made. */
            notice: string | null;
        };
        OnePiece: {
            /** @constant */
            success: true;
            data: components["schemas"]["Piece"];
        };
        PieceList: {
            /** @constant */
            success: true;
            data: components["schemas"]["Piece"][];
            next_cursor: string | null;
        };
        CancelledPiece: {
            /** @constant */
            success: true;
            data: components["schemas"]["Piece"];
            message: string;
            /** @description Null while the cancel is not confirmed, and for a piece that was cancelled before. */
            refund: {
                credits_refunded: number;
                new_balance: number;
            } | null;
        };
        Failure: {
            /** @constant */
            success: false;
            code: string;
            /** @description What failed, what was not done, and what to do next. */
            error: string;
            /** @description The header `X-Request-Id`; name it when you ask for help. */
            request_id: string | null;
            details?: string;
            piece_id?: string;
            /** @constant */
            replayed?: true;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPieces: {
        parameters: {
            query?: {
                /** @description Whose; the token's owner without it. */
                user_id?: string;
                mode?: "test" | "live";
                type?: "postcard" | "letter";
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pieces. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
                     *           "mode": "live",
                     *           "type": "postcard",
                     *           "state": "accepted",
                     *           "status": "received",
                     *           "status_at": "2026-11-22T17:05:12.000Z",
                     *           "provider_id": "4180021",
                     *           "user_id": "auth-ada",
                     *           "actor_id": "auth-ada via nightly-job",
                     *           "recipient": "Amelia Hartwell",
                     *           "credits": {
                     *             "cost": 1,
                     *             "held": 0,
                     *             "charged": 1
                     *           },
                     *           "note": null,
                     *           "url": "https://mailroom.example.com/sends/5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
                     *           "created_at": "2026-11-22T17:05:11.204Z",
                     *           "settled_at": "2026-11-22T17:05:12.031Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PieceList"];
                };
            };
            /** @description `bad_input`: Something in the request is wrong; the sentence names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `signed_out`: No token, or one that is unknown, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `missing_scope`: The token does not have the scope that `details` names. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `rate_limited`: Too many requests; `Retry-After` says how long to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description `overloaded`: Too much work right now; `Retry-After` says how long to wait.
             *
             *     `not_configured`: This part of Mailroom is not configured.
             *
             *     `database_unavailable`: The database is away. Live mail is not sent meanwhile.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createPiece: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your own, one for each piece. Repeating a request with it does nothing twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mode": "test",
                 *       "type": "postcard",
                 *       "recipient": {
                 *         "firstname": "Amelia",
                 *         "lastname": "Hartwell",
                 *         "address1": "12 Elm Street",
                 *         "city": "Portland",
                 *         "state": "OR",
                 *         "postcode": "97205",
                 *         "country": "US"
                 *       },
                 *       "content": {
                 *         "size": "4x6",
                 *         "template": "21001"
                 *       },
                 *       "tags": [
                 *         "welcome"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewPiece"];
            };
        };
        responses: {
            /** @description The key was used before: this is that piece. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedPiece"];
                };
            };
            /** @description The provider has the piece. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
                     *         "mode": "live",
                     *         "type": "postcard",
                     *         "state": "accepted",
                     *         "status": "received",
                     *         "status_at": "2026-11-22T17:05:12.000Z",
                     *         "provider_id": "4180021",
                     *         "user_id": "auth-ada",
                     *         "actor_id": "auth-ada via nightly-job",
                     *         "recipient": "Amelia Hartwell",
                     *         "credits": {
                     *           "cost": 1,
                     *           "held": 0,
                     *           "charged": 1
                     *         },
                     *         "note": null,
                     *         "url": "https://mailroom.example.com/sends/5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
                     *         "created_at": "2026-11-22T17:05:11.204Z",
                     *         "settled_at": "2026-11-22T17:05:12.031Z"
                     *       },
                     *       "replayed": false,
                     *       "notice": null
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedPiece"];
                };
            };
            /** @description Not known yet whether the provider has it. Ask for the piece later. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedPiece"];
                };
            };
            /** @description `bad_input`: Something in the request is wrong; the sentence names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `signed_out`: No token, or one that is unknown, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `insufficient_credits`: Too few credits; `shortfall` says how many are missing. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description `limit_reached`: A daily limit of credits would be exceeded.
             *
             *     `needs_approval`: It costs more than one person may send alone. Another person can approve it as a list.
             *
             *     `missing_scope`: The token does not have the scope that `details` names.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description `provider_refused`: The provider refused it. Nothing was charged.
             *
             *     `duplicate`: The same content was sent to the same address before; `piece_id` names it.
             *
             *     `in_progress`: The same piece is being worked on right now.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `key_reused`: The key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `rate_limited`: Too many requests; `Retry-After` says how long to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `provider_unreachable`: The provider cannot be reached. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description `overloaded`: Too much work right now; `Retry-After` says how long to wait.
             *
             *     `not_configured`: This part of Mailroom is not configured.
             *
             *     `database_unavailable`: The database is away. Live mail is not sent meanwhile.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `provider_timeout`: The provider did not answer in time. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getPiece: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The piece. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
                     *         "mode": "live",
                     *         "type": "postcard",
                     *         "state": "accepted",
                     *         "status": "received",
                     *         "status_at": "2026-11-22T17:05:12.000Z",
                     *         "provider_id": "4180021",
                     *         "user_id": "auth-ada",
                     *         "actor_id": "auth-ada via nightly-job",
                     *         "recipient": "Amelia Hartwell",
                     *         "credits": {
                     *           "cost": 1,
                     *           "held": 0,
                     *           "charged": 1
                     *         },
                     *         "note": null,
                     *         "url": "https://mailroom.example.com/sends/5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
                     *         "created_at": "2026-11-22T17:05:11.204Z",
                     *         "settled_at": "2026-11-22T17:05:12.031Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OnePiece"];
                };
            };
            /** @description `signed_out`: No token, or one that is unknown, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `missing_scope`: The token does not have the scope that `details` names. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `rate_limited`: Too many requests; `Retry-After` says how long to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description `overloaded`: Too much work right now; `Retry-After` says how long to wait.
             *
             *     `not_configured`: This part of Mailroom is not configured.
             *
             *     `database_unavailable`: The database is away. Live mail is not sent meanwhile.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    cancelPiece: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancelled, and refunded once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
                     *         "mode": "live",
                     *         "type": "postcard",
                     *         "state": "cancelled",
                     *         "status": "cancelled",
                     *         "status_at": "2026-11-22T17:05:12.000Z",
                     *         "provider_id": "4180021",
                     *         "user_id": "auth-ada",
                     *         "actor_id": "auth-ada via nightly-job",
                     *         "recipient": "Amelia Hartwell",
                     *         "credits": {
                     *           "cost": 1,
                     *           "held": 0,
                     *           "charged": 0
                     *         },
                     *         "note": null,
                     *         "url": "https://mailroom.example.com/sends/5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
                     *         "created_at": "2026-11-22T17:05:11.204Z",
                     *         "settled_at": "2026-11-22T17:05:12.031Z"
                     *       },
                     *       "message": "Postcard cancelled",
                     *       "refund": {
                     *         "credits_refunded": 1,
                     *         "new_balance": 100
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CancelledPiece"];
                };
            };
            /** @description The provider has not confirmed it yet. Ask for the piece later. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelledPiece"];
                };
            };
            /** @description `bad_input`: Something in the request is wrong; the sentence names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `signed_out`: No token, or one that is unknown, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `missing_scope`: The token does not have the scope that `details` names. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description `provider_refused`: The provider refused it. Nothing was charged.
             *
             *     `in_progress`: The same piece is being worked on right now.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `rate_limited`: Too many requests; `Retry-After` says how long to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `provider_unreachable`: The provider cannot be reached. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description `overloaded`: Too much work right now; `Retry-After` says how long to wait.
             *
             *     `not_configured`: This part of Mailroom is not configured.
             *
             *     `database_unavailable`: The database is away. Live mail is not sent meanwhile.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `provider_timeout`: The provider did not answer in time. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    onPieceAccepted: {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same at each try. */
                "webhook-id": string;
                /** @description Seconds since 1970, of this try. */
                "webhook-timestamp": string;
                /** @description One signature for each secret that is valid now, with spaces between them. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "piece.accepted",
                 *       "timestamp": "2026-11-22T17:05:12.031Z",
                 *       "data": {
                 *         "id": "5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
                 *         "type": "postcard",
                 *         "state": "accepted",
                 *         "status": "received",
                 *         "provider_id": "4180021",
                 *         "user_id": "auth-ada",
                 *         "credits": 1,
                 *         "charged": 1,
                 *         "list_id": null
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "piece.accepted";
                    /**
                     * Format: date-time
                     * @description When it happened. Events may arrive out of order.
                     */
                    timestamp: string;
                    data: {
                        /** @description For `GET /api/pieces/{id}`. */
                        id: string;
                        /** @enum {string} */
                        type: "postcard" | "letter";
                        /** @enum {string} */
                        state: "checking" | "needs_decision" | "accepted" | "refused" | "cancelling" | "cancelled";
                        /** @description The provider's own word for where it is. */
                        status: string | null;
                        provider_id: string | null;
                        /** @description Who pays. */
                        user_id: string;
                        /** @description Charged, released or refunded by this event; null: none. */
                        credits: number | null;
                        /** @description What the piece costs now, in credits. */
                        charged: number;
                        /** @description The list that it is of. */
                        list_id: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Send no more events here. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPieceRefused: {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same at each try. */
                "webhook-id": string;
                /** @description Seconds since 1970, of this try. */
                "webhook-timestamp": string;
                /** @description One signature for each secret that is valid now, with spaces between them. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "piece.refused",
                 *       "timestamp": "2026-11-22T17:05:12.031Z",
                 *       "data": {
                 *         "id": "5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
                 *         "type": "postcard",
                 *         "state": "refused",
                 *         "status": null,
                 *         "provider_id": null,
                 *         "user_id": "auth-ada",
                 *         "credits": 1,
                 *         "charged": 0,
                 *         "list_id": null
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "piece.refused";
                    /**
                     * Format: date-time
                     * @description When it happened. Events may arrive out of order.
                     */
                    timestamp: string;
                    data: {
                        /** @description For `GET /api/pieces/{id}`. */
                        id: string;
                        /** @enum {string} */
                        type: "postcard" | "letter";
                        /** @enum {string} */
                        state: "checking" | "needs_decision" | "accepted" | "refused" | "cancelling" | "cancelled";
                        /** @description The provider's own word for where it is. */
                        status: string | null;
                        provider_id: string | null;
                        /** @description Who pays. */
                        user_id: string;
                        /** @description Charged, released or refunded by this event; null: none. */
                        credits: number | null;
                        /** @description What the piece costs now, in credits. */
                        charged: number;
                        /** @description The list that it is of. */
                        list_id: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Send no more events here. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPieceStatus: {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same at each try. */
                "webhook-id": string;
                /** @description Seconds since 1970, of this try. */
                "webhook-timestamp": string;
                /** @description One signature for each secret that is valid now, with spaces between them. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "piece.status",
                 *       "timestamp": "2026-11-22T17:05:12.031Z",
                 *       "data": {
                 *         "id": "5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
                 *         "type": "postcard",
                 *         "state": "accepted",
                 *         "status": "handed_over",
                 *         "provider_id": "4180021",
                 *         "user_id": "auth-ada",
                 *         "credits": null,
                 *         "charged": 1,
                 *         "list_id": null
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "piece.status";
                    /**
                     * Format: date-time
                     * @description When it happened. Events may arrive out of order.
                     */
                    timestamp: string;
                    data: {
                        /** @description For `GET /api/pieces/{id}`. */
                        id: string;
                        /** @enum {string} */
                        type: "postcard" | "letter";
                        /** @enum {string} */
                        state: "checking" | "needs_decision" | "accepted" | "refused" | "cancelling" | "cancelled";
                        /** @description The provider's own word for where it is. */
                        status: string | null;
                        provider_id: string | null;
                        /** @description Who pays. */
                        user_id: string;
                        /** @description Charged, released or refunded by this event; null: none. */
                        credits: number | null;
                        /** @description What the piece costs now, in credits. */
                        charged: number;
                        /** @description The list that it is of. */
                        list_id: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Send no more events here. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPieceCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same at each try. */
                "webhook-id": string;
                /** @description Seconds since 1970, of this try. */
                "webhook-timestamp": string;
                /** @description One signature for each secret that is valid now, with spaces between them. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "piece.cancelled",
                 *       "timestamp": "2026-11-22T17:05:12.031Z",
                 *       "data": {
                 *         "id": "5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
                 *         "type": "postcard",
                 *         "state": "cancelled",
                 *         "status": "cancelled",
                 *         "provider_id": "4180021",
                 *         "user_id": "auth-ada",
                 *         "credits": 1,
                 *         "charged": 0,
                 *         "list_id": null
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "piece.cancelled";
                    /**
                     * Format: date-time
                     * @description When it happened. Events may arrive out of order.
                     */
                    timestamp: string;
                    data: {
                        /** @description For `GET /api/pieces/{id}`. */
                        id: string;
                        /** @enum {string} */
                        type: "postcard" | "letter";
                        /** @enum {string} */
                        state: "checking" | "needs_decision" | "accepted" | "refused" | "cancelling" | "cancelled";
                        /** @description The provider's own word for where it is. */
                        status: string | null;
                        provider_id: string | null;
                        /** @description Who pays. */
                        user_id: string;
                        /** @description Charged, released or refunded by this event; null: none. */
                        credits: number | null;
                        /** @description What the piece costs now, in credits. */
                        charged: number;
                        /** @description The list that it is of. */
                        list_id: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Send no more events here. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPieceNeedsDecision: {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same at each try. */
                "webhook-id": string;
                /** @description Seconds since 1970, of this try. */
                "webhook-timestamp": string;
                /** @description One signature for each secret that is valid now, with spaces between them. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "piece.needs_decision",
                 *       "timestamp": "2026-11-22T17:05:12.031Z",
                 *       "data": {
                 *         "id": "5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
                 *         "type": "postcard",
                 *         "state": "needs_decision",
                 *         "status": null,
                 *         "provider_id": null,
                 *         "user_id": "auth-ada",
                 *         "credits": null,
                 *         "charged": 0,
                 *         "list_id": null
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "piece.needs_decision";
                    /**
                     * Format: date-time
                     * @description When it happened. Events may arrive out of order.
                     */
                    timestamp: string;
                    data: {
                        /** @description For `GET /api/pieces/{id}`. */
                        id: string;
                        /** @enum {string} */
                        type: "postcard" | "letter";
                        /** @enum {string} */
                        state: "checking" | "needs_decision" | "accepted" | "refused" | "cancelling" | "cancelled";
                        /** @description The provider's own word for where it is. */
                        status: string | null;
                        provider_id: string | null;
                        /** @description Who pays. */
                        user_id: string;
                        /** @description Charged, released or refunded by this event; null: none. */
                        credits: number | null;
                        /** @description What the piece costs now, in credits. */
                        charged: number;
                        /** @description The list that it is of. */
                        list_id: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Send no more events here. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBatchFinished: {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same at each try. */
                "webhook-id": string;
                /** @description Seconds since 1970, of this try. */
                "webhook-timestamp": string;
                /** @description One signature for each secret that is valid now, with spaces between them. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "batch.finished",
                 *       "timestamp": "2026-11-22T17:05:12.031Z",
                 *       "data": {
                 *         "id": "b7d4d1b2-40cf-4c1c-9d55-5a0f5f0d7a10",
                 *         "type": "postcard",
                 *         "state": "finished",
                 *         "user_id": "auth-ada",
                 *         "sent": 248,
                 *         "refused": 2,
                 *         "checking": 0,
                 *         "not_sent": 0
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "batch.finished";
                    /**
                     * Format: date-time
                     * @description When it happened. Events may arrive out of order.
                     */
                    timestamp: string;
                    data: {
                        id: string;
                        /** @enum {string} */
                        type: "postcard" | "letter";
                        /** @enum {string} */
                        state: "finished" | "stopped";
                        /** @description Who pays. */
                        user_id: string;
                        sent: number;
                        refused: number;
                        /** @description Rows whose outcome is not known yet. */
                        checking: number;
                        not_sent: number;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Send no more events here. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBalanceLow: {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same at each try. */
                "webhook-id": string;
                /** @description Seconds since 1970, of this try. */
                "webhook-timestamp": string;
                /** @description One signature for each secret that is valid now, with spaces between them. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "balance.low",
                 *       "timestamp": "2026-11-22T17:05:12.031Z",
                 *       "data": {
                 *         "user_id": "auth-ada",
                 *         "threshold": 50,
                 *         "balance": 49
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "balance.low";
                    /**
                     * Format: date-time
                     * @description When it happened. Events may arrive out of order.
                     */
                    timestamp: string;
                    data: {
                        /** @description Whose balance it is. */
                        user_id: string;
                        /** @description What it fell below, in credits. */
                        threshold: 50 | 10;
                        balance: number;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Send no more events here. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
