/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import tools.jackson.databind.node.ObjectNode;

/**
 * What a request is answered with in place of the right answer, or how the right answer
 * is spoilt. Immutable.
 */
public final class Fault {

	private final Answer answer;

	private Fault(Answer answer) {
		this.answer = answer;
	}

	/**
	 * An HTTP error with a {@code Status} object as the real server words it: 400, 401,
	 * 403, 404, 410, 429, 500, 503, 504 or any other.
	 * @param code the status code
	 * @return the fault
	 */
	public static Fault status(int code) {
		return answering((request, response) -> response.sendStatus(statusObject(code, request)));
	}

	/**
	 * 429, with the time to wait both in the header and in the {@code Status} object.
	 * @param retryAfter the time to wait, in whole seconds
	 * @return the fault
	 */
	public static Fault tooManyRequests(Duration retryAfter) {
		return answering((request, response) -> {
			ObjectNode status = statusObject(429, request);
			Json.childObject(status, "details").put("retryAfterSeconds", retryAfter.toSeconds());
			response.sendStatus(status);
		});
	}

	/**
	 * A watch that opens, sends one {@code ERROR} event and ends.
	 * @param code the code in the event's {@code Status} object
	 * @return the fault
	 */
	public static Fault errorEvent(int code) {
		return answering((request, response) -> {
			OutputStream out = response.stream(200, ApiResponse.JSON);
			Representation.writeEvent("ERROR", statusObject(code, request), out);
		});
	}

	/**
	 * An answer with status 200 and any body, such as broken JSON.
	 * @param body the body
	 * @return the fault
	 */
	public static Fault body(String body) {
		return answering(
				(request, response) -> response.send(200, ApiResponse.JSON, body.getBytes(StandardCharsets.UTF_8)));
	}

	/**
	 * A connection that is reset without an answer.
	 * @return the fault
	 */
	public static Fault cutConnection() {
		return answering((request, response) -> {
			response.cut();
			throw new IOException("Cut on purpose");
		});
	}

	/**
	 * A request that is never answered, nor is any other on its connection; it ends when
	 * the client or the server goes away.
	 * @return the fault
	 */
	public static Fault hang() {
		return answering((request, response) -> {
			CountDownLatch gone = new CountDownLatch(1);
			response.onDisconnect(gone::countDown);
			try {
				gone.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			throw new IOException("Never answered on purpose");
		});
	}

	/**
	 * A watch that opens and stays open, but in which nothing ever comes: no event, no
	 * bookmark, no end.
	 * @return the fault
	 * @see Faults#silenceWatches()
	 */
	public static Fault silent() {
		Fault hang = hang();
		return answering((request, response) -> {
			response.stream(200, ApiResponse.JSON).flush();
			hang.answer(request, response);
		});
	}

	/**
	 * The right answer, slowly.
	 * @param bytes how many bytes of the body come at a time
	 * @param interval the time between them
	 * @return the fault
	 */
	public static Fault slow(int bytes, Duration interval) {
		if (bytes < 1) {
			throw new IllegalArgumentException("bytes must be at least 1, but is " + bytes);
		}
		return spoil((body, response) -> new SlowOutputStream(body, response, bytes, interval));
	}

	/**
	 * The right answer, in whose middle the connection is reset.
	 * @param bytes how many bytes of the body come before
	 * @return the fault
	 */
	public static Fault cutAfter(long bytes) {
		return spoil((body, response) -> new ShortOutputStream(body, bytes, () -> {
			response.cut();
			throw new IOException("Cut on purpose");
		}));
	}

	/**
	 * The right answer, which ends too early though the connection is fine: what has come
	 * is not JSON.
	 * @param bytes how many bytes of the body come
	 * @return the fault
	 */
	public static Fault truncated(long bytes) {
		return spoil((body, response) -> new ShortOutputStream(body, bytes, () -> {
		}));
	}

	/**
	 * The right answer, in whose objects a text is replaced: to make one of them
	 * something that cannot be decoded, or not JSON at all. In a watch this goes for all
	 * events.
	 * @param text the text within an object's JSON, for instance {@code "replicas":1}
	 * @param replacement what comes in its place
	 * @return the fault
	 */
	public static Fault replaced(String text, String replacement) {
		return spoil((body, response) -> new ReplacingOutputStream(body, text, replacement));
	}

	private static Fault spoil(BodyFilter filter) {
		return new Fault((request, response) -> {
			response.filter(filter);
			return false;
		});
	}

	/**
	 * Answers a request, or spoils the answer that it is yet to be given.
	 * @return whether the request has been answered
	 */
	boolean answer(ReceivedRequest request, ApiResponse response) throws IOException {
		return this.answer.to(request, response);
	}

	private static ObjectNode statusObject(int code, ReceivedRequest request) {
		return switch (code) {
			case 400 -> StatusErrors.failure("Bad request", "BadRequest", null, code);
			case 401 -> StatusErrors.failure("Unauthorized", "Unauthorized", null, code);
			case 403 -> forbidden(request);
			case 404 -> StatusErrors.unknownResource().status();
			case 410 -> StatusErrors.expired("too old resource version: 1 (2)", null).status();
			case 429 -> StatusErrors.failure(
					"the server has received too many requests and has asked us to try again" + " later",
					"TooManyRequests", Json.object().put("retryAfterSeconds", 1), code);
			case 500 -> StatusErrors.failure("Internal error occurred: a fault on purpose", "InternalError",
					Json.object(), code);
			case 503 -> StatusErrors.failure("the server is currently unable to handle the request",
					"ServiceUnavailable", null, code);
			case 504 -> StatusErrors.failure("Timeout: request did not complete within requested timeout", "Timeout",
					Json.object(), code);
			default -> StatusErrors.failure("a fault on purpose", "", null, code);
		};
	}

	private static ObjectNode forbidden(ReceivedRequest request) {
		String resource = request.resource();
		int dot = resource.indexOf('.');
		ResourceDefinition definition = new ResourceDefinition((dot < 0) ? "" : resource.substring(dot + 1), "",
				(dot < 0) ? resource : resource.substring(0, dot), "", true, false, true);
		RequestPath path = new RequestPath(definition, request.namespace(), request.name(), request.subresource(),
				false);
		return StatusErrors.notAllowed(Access.OWNER, request.verb(), path).status();
	}

	private static Fault answering(FinalAnswer answer) {
		return new Fault((request, response) -> {
			answer.to(request, response);
			return true;
		});
	}

	private interface Answer {

		boolean to(ReceivedRequest request, ApiResponse response) throws IOException;

	}

	private interface FinalAnswer {

		void to(ReceivedRequest request, ApiResponse response) throws IOException;

	}

}
