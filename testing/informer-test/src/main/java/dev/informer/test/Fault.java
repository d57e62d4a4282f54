/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import dev.informer.test.http.ApiResponse;
import dev.informer.test.http.BodyFilter;
import dev.informer.test.http.RequestDispatcher;
import dev.informer.test.http.RequestPath;
import dev.informer.test.store.Json;
import dev.informer.test.store.StatusErrors;
import tools.jackson.databind.node.ObjectNode;

/**
 * Failure that replaces or corrupts the response to a request. Immutable.
 */
public final class Fault {

	private final RequestDispatcher.Interceptor answer;

	private Fault(RequestDispatcher.Interceptor answer) {
		this.answer = answer;
	}

	/**
	 * Create a fault that answers with an HTTP error. Its {@code Status} object has the
	 * real server's text for 400, 401, 403, 404, 410, 429, 500, 503 and 504, and a
	 * generic text for other codes.
	 * @param code the status code
	 * @return the fault
	 */
	public static Fault status(int code) {
		return answering((request, response) -> response.sendStatus(statusObject(code, request)));
	}

	/**
	 * Create a fault that answers with 429, with the delay both in the {@code
	 * Retry-After} header and in the {@code Status} object.
	 * @param retryAfter the delay, in whole seconds
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
	 * Create a fault that opens a watch, sends one {@code ERROR} event and ends the
	 * watch.
	 * @param code the code in the {@code Status} object of the event
	 * @return the fault
	 */
	public static Fault errorEvent(int code) {
		return answering((request, response) -> response.sendEvent("ERROR", statusObject(code, request)));
	}

	/**
	 * Create a fault that answers with status 200 and the given body, for instance
	 * invalid JSON.
	 * @param body the body
	 * @return the fault
	 */
	public static Fault body(String body) {
		return answering(
				(request, response) -> response.send(200, ApiResponse.JSON, body.getBytes(StandardCharsets.UTF_8)));
	}

	/**
	 * Create a fault that resets the connection without a response.
	 * @return the fault
	 */
	public static Fault cutConnection() {
		return answering((request, response) -> {
			response.cut();
			throw new IOException("Connection cut by a fault");
		});
	}

	/**
	 * Create a fault that never answers the request, nor any later request on its
	 * connection. The request ends when the client disconnects or the server is closed.
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
			throw new IOException("Request left unanswered by a fault");
		});
	}

	/**
	 * Create a fault that opens a watch and keeps it open without sending anything: no
	 * event, no bookmark, no end.
	 * @return the fault
	 * @see Faults#stallWatches()
	 */
	public static Fault stalled() {
		Fault hang = hang();
		return answering((request, response) -> {
			response.stream(200, ApiResponse.JSON).flush();
			hang.answer(request, response);
		});
	}

	/**
	 * Create a fault that delays the parts of the correct response.
	 * @param bytes the number of bytes of the body per part
	 * @param interval the delay between two parts
	 * @return the fault
	 */
	public static Fault slow(int bytes, Duration interval) {
		if (bytes < 1) {
			throw new IllegalArgumentException("bytes must be at least 1, but is " + bytes);
		}
		return corrupt((body, response) -> new SlowOutputStream(body, response, bytes, interval));
	}

	/**
	 * Create a fault that resets the connection in the middle of the correct response.
	 * @param bytes the number of bytes of the body to send before
	 * @return the fault
	 */
	public static Fault cutAfter(long bytes) {
		return corrupt((body, response) -> new ShortOutputStream(body, bytes, () -> {
			response.cut();
			throw new IOException("Connection cut by a fault");
		}));
	}

	/**
	 * Create a fault that truncates the body of the correct response without breaking the
	 * connection. The client receives an incomplete message.
	 * @param bytes the number of bytes of the body to send
	 * @return the fault
	 */
	public static Fault truncated(long bytes) {
		return corrupt((body, response) -> new ShortOutputStream(body, bytes, () -> {
		}));
	}

	/**
	 * Create a fault that replaces text in the objects of the correct response, to make
	 * an object undecodable or its JSON invalid. In a watch, it affects all events. The
	 * response is JSON, even if the client prefers protobuf.
	 * @param text the text in the JSON of an object, for instance {@code "replicas":1}
	 * @param replacement the replacement
	 * @return the fault
	 */
	public static Fault replaced(String text, String replacement) {
		return new Fault((request, response) -> {
			response.jsonOnly();
			response.filter((body, filtered) -> new ReplacingOutputStream(body, text, replacement));
			return false;
		});
	}

	private static Fault corrupt(BodyFilter filter) {
		return new Fault((request, response) -> {
			response.filter(filter);
			return false;
		});
	}

	/**
	 * Answer a request, or corrupt the response that is sent later.
	 * @return whether the request has been answered
	 */
	boolean answer(ReceivedRequest request, ApiResponse response) throws IOException {
		return this.answer.intercept(request, response);
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
			case 500 ->
				StatusErrors.failure("Internal error occurred: simulated fault", "InternalError", Json.object(), code);
			case 503 -> StatusErrors.failure("the server is currently unable to handle the request",
					"ServiceUnavailable", null, code);
			case 504 -> StatusErrors.failure("Timeout: request did not complete within requested timeout", "Timeout",
					Json.object(), code);
			default -> StatusErrors.failure("simulated fault", "", null, code);
		};
	}

	private static ObjectNode forbidden(ReceivedRequest request) {
		String resource = request.resource();
		int dot = resource.indexOf('.');
		ResourceDefinition definition = new ResourceDefinition((dot < 0) ? "" : resource.substring(dot + 1), "",
				(dot < 0) ? resource : resource.substring(0, dot), "", true, false, true);
		RequestPath path = new RequestPath(definition, request.namespace(), request.name(), request.subresource(),
				false);
		return path.notAllowed(Access.OWNER, request.verb()).status();
	}

	private static Fault answering(FinalAnswer answer) {
		return new Fault((request, response) -> {
			answer.to(request, response);
			return true;
		});
	}

	private interface FinalAnswer {

		void to(ReceivedRequest request, ApiResponse response) throws IOException;

	}

}
