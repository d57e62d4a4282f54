package dev.informer.test;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

import tools.jackson.databind.node.ObjectNode;

/**
 * What a request is answered with in place of the right answer. Immutable.
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
		return new Fault((request, response) -> response.sendStatus(statusObject(code, request)));
	}

	/**
	 * 429, with the time to wait both in the header and in the {@code Status} object.
	 * @param retryAfter the time to wait, in whole seconds
	 * @return the fault
	 */
	public static Fault tooManyRequests(Duration retryAfter) {
		return new Fault((request, response) -> {
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
		return new Fault((request, response) -> {
			OutputStream out = response.stream(200, HttpResponse.JSON);
			Representation.writeEvent("ERROR", statusObject(code, request), out);
		});
	}

	/**
	 * An answer with status 200 and any body, such as broken JSON.
	 * @param body the body
	 * @return the fault
	 */
	public static Fault body(String body) {
		return new Fault(
				(request, response) -> response.send(200, HttpResponse.JSON, body.getBytes(StandardCharsets.UTF_8)));
	}

	/**
	 * A connection that is reset without an answer.
	 * @return the fault
	 */
	public static Fault cutConnection() {
		return new Fault((request, response) -> {
			response.cut();
			throw new IOException("Cut on purpose");
		});
	}

	/**
	 * A request that is never answered; it ends when the client or the server goes away.
	 * @return the fault
	 */
	public static Fault hang() {
		return new Fault((request, response) -> {
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

	void answer(ReceivedRequest request, HttpResponse response) throws IOException {
		this.answer.to(request, response);
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

	private interface Answer {

		void to(ReceivedRequest request, HttpResponse response) throws IOException;

	}

}
