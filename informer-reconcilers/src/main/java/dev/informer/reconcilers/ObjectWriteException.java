/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;

import dev.informer.client.FailureReason;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import io.kubernetes.client.openapi.ApiException;

/**
 * Failure of a write. The message names the object, the reason and a remedy. The code is
 * the HTTP status: 409 for a conflict and for an object that exists already, 429 if the
 * server is overloaded; 0 if it has not answered. Then it is unknown whether it has
 * carried out the request.
 */
@SuppressWarnings("serial")
public final class ObjectWriteException extends ApiException {

	private static final int NOT_FOUND = 404;

	private static final String UNKNOWN_PATH = "the server could not find the requested resource";

	private final String text;

	private final transient Optional<ServerStatus> status;

	private ObjectWriteException(String text, IOException cause, Optional<ServerStatus> status) {
		super(text, cause, status.map(ServerStatus::code).orElse(0), null, null);
		this.text = text;
		this.status = status;
	}

	static ObjectWriteException of(WriteTarget<?> target, ObjectWrite.Operation operation, IOException cause) {
		Optional<ServerStatus> status = (cause instanceof ServerStatusException refusal) ? Optional.of(refusal.status())
				: Optional.empty();
		FailureReason reason = FailureReason.of(cause);
		boolean interrupted = cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException);
		String remedy = reason.remedy().isEmpty() ? status.map((known) -> remedy(target, operation, known)).orElse("")
				: reason.remedy();
		return new ObjectWriteException("Cannot " + target.describe(operation) + ": "
				+ (interrupted ? "the thread was interrupted before the API server has answered" : reason.text())
				+ (remedy.isEmpty() ? "" : ". " + remedy), cause, status);
	}

	/**
	 * Create the failure for an answer that cannot be decoded.
	 */
	static ObjectWriteException ofAnswer(WriteTarget<?> target, ObjectWrite.Operation operation, IOException cause) {
		return new ObjectWriteException("The API server has carried out the request to " + target.describe(operation)
				+ ", but its answer is invalid: " + FailureReason.of(cause).text(), cause, Optional.empty());
	}

	private static String remedy(WriteTarget<?> target, ObjectWrite.Operation operation, ServerStatus status) {
		return switch (status.code()) {
			case 403 -> status.message().contains("because it is being terminated") ? "The namespace is being deleted."
					: "Grant the verb " + target.verb(operation) + ": kubectl create "
							+ ((target.namespace() != null) ? "role NAME --namespace=" + target.namespace()
									: "clusterrole NAME")
							+ " --verb=" + target.verb(operation) + " --resource=" + target.rbacResource(operation);
			case NOT_FOUND -> isNotServed(status) ? notServed(target, operation) : "";
			case 409 -> switch (operation) {
				case CREATE -> "";
				case APPLY -> "Leave the field out, or apply without conflicts to take it over.";
				default -> "Read the object again and repeat the change.";
			};
			default -> "";
		};
	}

	/**
	 * Return whether a 404 is about the path. Its answer has no {@code Status}, or one
	 * that names no object.
	 */
	static boolean isNotServed(ServerStatus status) {
		return status.reason().isEmpty() || status.message().equals(UNKNOWN_PATH);
	}

	private static String notServed(WriteTarget<?> target, ObjectWrite.Operation operation) {
		return (operation == ObjectWrite.Operation.UPDATE_STATUS)
				? "Declare the status subresource in the CustomResourceDefinition of " + target.type() + "."
				: "Install the CustomResourceDefinition of " + target.type()
						+ ", or use a version that the API server serves.";
	}

	/**
	 * Return the reason that the server gave, such as {@code AlreadyExists} or
	 * {@code Conflict}.
	 * @return the reason; empty if the server has not answered, or gave none
	 */
	public String reason() {
		return this.status.map(ServerStatus::reason).orElse("");
	}

	/**
	 * Return how long the server asks to wait before the next request.
	 * @return the delay, at most five minutes; empty if it does not say
	 */
	public Optional<Duration> retryAfter() {
		return this.status.map(ServerStatus::retryAfter);
	}

	@Override
	public String getMessage() {
		return this.text;
	}

}
