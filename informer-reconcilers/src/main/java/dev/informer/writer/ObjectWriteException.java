/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.informer.client.FailureReason;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import dev.informer.client.type.ObjectType;
import dev.informer.support.UntrustedText;
import dev.informer.writer.ObjectWrite.Operation;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import org.jspecify.annotations.Nullable;

/**
 * Failure of a write. The message names the object, the reason and a remedy. The code is
 * the HTTP status: 409 for a conflict and for an object that exists already, 422 for an
 * invalid object, whose message names the fields without their values, 429 if the server
 * is overloaded; 0 without a valid answer. Then the server may have carried out the
 * request.
 */
@SuppressWarnings("serial")
public final class ObjectWriteException extends ApiException {

	private static final int FORBIDDEN = 403;

	private static final int NOT_FOUND = 404;

	private static final int CONFLICT = 409;

	private static final String NOT_STORED = "NotStored";

	private static final String NOT_OWNED = "NotOwned";

	private static final String OWNED_BY_ANOTHER = "OwnedByAnother";

	/** Remedy for a status of an object that is created. */
	static final String NO_STATUS = "Set the status to null, and write it by updateStatus afterwards.";

	private static final String UNKNOWN_PATH = "the server could not find the requested resource";

	private static final String OTHER_MANAGER = "Apply failed with ";

	private static final String ALREADY_EXISTS = "AlreadyExists";

	/** Reasons of a 409 that remain until somebody changes the object or its name. */
	private static final Set<String> REMAINING = Set.of(ALREADY_EXISTS, NOT_OWNED, OWNED_BY_ANOTHER);

	private static final String AGAIN = "Read the object again and repeat the change.";

	/** Message of RBAC: the verb, and the subresource. */
	private static final Pattern MISSING_RIGHT = Pattern.compile(" cannot ([a-z]+) resource \"[^\"/]*(/[a-z]+)?\"");

	private final String text;

	private final transient Optional<ServerStatus> status;

	/**
	 * Create a failure for tests of code that writes.
	 * @param code the HTTP status
	 * @param message the message
	 */
	public ObjectWriteException(int code, String message) {
		super(message, null, code, null, null);
		this.text = message;
		this.status = Optional.empty();
	}

	private ObjectWriteException(String text, IOException cause, Optional<ServerStatus> status) {
		super(text, cause, status.map(ServerStatus::code).orElse(0), null, null);
		this.text = text;
		this.status = status;
	}

	static ObjectWriteException of(WriteTarget<?> target, Operation operation, IOException cause) {
		return of(target.describe(operation), cause, (status) -> remedy(target, operation, status));
	}

	/**
	 * Create the failure of a request whose path the server has not, because the resource
	 * has another scope.
	 */
	static ObjectWriteException ofScope(WriteTarget<?> target, Operation operation, IOException cause,
			FailureReason scope) {
		return of(target.describe(operation), cause,
				(status) -> "On this API server, " + scope.text() + ". " + scope.remedy());
	}

	/**
	 * Create the failure to find the resource of an untyped object.
	 */
	static ObjectWriteException ofDiscovery(String apiVersion, String kind, IOException cause) {
		return of(
				"find the resource of kind '" + UntrustedText.of(kind) + "' in '" + UntrustedText.of(apiVersion) + "'",
				cause, (status) -> switch (status.code()) {
					case FORBIDDEN -> "Grant the ClusterRole system:discovery.";
					case NOT_FOUND ->
						"Check apiVersion and kind, or install the CustomResourceDefinition or the aggregated API server first.";
					default -> "";
				});
	}

	private static ObjectWriteException of(String action, IOException cause, Function<ServerStatus, String> remedies) {
		Optional<ServerStatus> status = (cause instanceof ServerStatusException refusal) ? Optional.of(refusal.status())
				: Optional.empty();
		FailureReason reason = FailureReason.of(cause);
		boolean interrupted = cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException);
		String remedy = reason.remedy().isEmpty() ? status.map(remedies).orElse("") : reason.remedy();
		return new ObjectWriteException("Cannot " + action + ": "
				+ (interrupted ? "the thread was interrupted before the API server has answered" : reason.text())
				+ (remedy.isEmpty() ? "" : ". " + remedy), cause, status);
	}

	/**
	 * Create the failure for an answer that cannot be decoded.
	 */
	static ObjectWriteException ofAnswer(WriteTarget<?> target, Operation operation, IOException cause) {
		return new ObjectWriteException("The API server has carried out the request to " + target.describe(operation)
				+ ", but its answer is invalid: " + FailureReason.of(cause).text(), cause, Optional.empty());
	}

	/**
	 * Create the failure for a property that the server has not stored as it was sent.
	 */
	static ObjectWriteException notStored(WriteTarget<?> target, Operation operation, String property) {
		boolean ofStatus = property.startsWith("status");
		String remedy = switch (operation) {
			case UPDATE_STATUS -> ofStatus ? undeclared(target) : "Use update or patch for it.";
			case CREATE, APPLY -> ofStatus ? NO_STATUS : undeclared(target);
			default -> ofStatus ? "Use updateStatus." : undeclared(target);
		};
		ServerStatus status = new ServerStatus(0, NOT_STORED, "", List.of(), null);
		return new ObjectWriteException(
				"The API server has carried out the request to " + target.describe(operation)
						+ ", but has not stored the value of " + UntrustedText.of(property) + ". " + remedy,
				new IOException(NOT_STORED), Optional.of(status));
	}

	/**
	 * Create the failure of an owner that must not have an object.
	 * @param controller the controller of the object; {@code null} for none
	 */
	static ObjectWriteException foreign(WriteTarget<?> target, @Nullable V1OwnerReference controller) {
		String reason = (controller != null) ? OWNED_BY_ANOTHER : NOT_OWNED;
		String text = (controller != null)
				? "it is controlled by " + UntrustedText.of(controller.getKind()) + " '"
						+ UntrustedText.of(controller.getName()) + "' (UID " + UntrustedText.of(controller.getUid())
						+ "). Derive the name of the object from its owner, so that no two owners share one."
				: "it exists without a controller. Use another name, delete the object, or use a writer with adoption.";
		return new ObjectWriteException("Cannot " + target.describe(Operation.APPLY) + " for its owner: " + text,
				new IOException(reason), Optional.of(new ServerStatus(CONFLICT, reason, "", List.of(), null)));
	}

	private static String undeclared(WriteTarget<?> target) {
		return "Declare the property in the CustomResourceDefinition of " + target.type()
				+ ", unless a webhook removes it.";
	}

	private static String remedy(WriteTarget<?> target, Operation operation, ServerStatus status) {
		return switch (status.code()) {
			case FORBIDDEN ->
				status.isNamespaceTerminating() ? "The namespace is being deleted." : right(target, status);
			case NOT_FOUND -> missing(target, operation, status);
			case CONFLICT -> switch (operation) {
				case CREATE -> "";
				case APPLY -> isOfOtherManager(status)
						? "Leave the field out, or take it over by a writer without conflicts." : AGAIN;
				default -> AGAIN;
			};
			default -> "";
		};
	}

	/**
	 * Return the right that is missing. A quota, a policy or a webhook forbids as well.
	 */
	private static String right(WriteTarget<?> target, ServerStatus status) {
		Matcher missing = MISSING_RIGHT.matcher(status.message());
		if (!missing.find()) {
			return "";
		}
		String subresource = missing.group(2);
		return "Grant the verb " + missing.group(1) + ": kubectl create "
				+ ((target.namespace() != null) ? "role NAME --namespace=" + target.namespace() : "clusterrole NAME")
				+ " --verb=" + missing.group(1) + " --resource=" + target.type().qualifiedName()
				+ ((subresource != null) ? subresource : "");
	}

	/**
	 * Return whether a 404 is about the path. Its answer has no {@code Status}, or one
	 * that names no object.
	 */
	static boolean isNotServed(ServerStatus status) {
		return status.reason().isEmpty() || status.message().equals(UNKNOWN_PATH);
	}

	private static String missing(WriteTarget<?> target, Operation operation, ServerStatus status) {
		if (target.namespace() != null
				&& status.message().equals("namespaces \"" + target.namespace() + "\" not found")) {
			return "Create the namespace first, or correct that of the object.";
		}
		if (operation == Operation.UPDATE_STATUS && !ObjectType.isOfficial(target.type().type())) {
			// the answer is the same for an object that is gone
			return "If it exists, declare the status subresource in the CustomResourceDefinition of " + target.type()
					+ ".";
		}
		return isNotServed(status) ? "Install the CustomResourceDefinition of " + target.type()
				+ " or its aggregated API server, or use a version that is served." : "";
	}

	/**
	 * Return whether the object has another version than the one that was written. An
	 * object that exists already, whose fields another manager has, or that the owner
	 * must not have, is no such conflict: it remains.
	 * @return whether the write may succeed with the object as it is now
	 */
	public boolean isConflict() {
		return getCode() == CONFLICT && !REMAINING.contains(reason())
				&& this.status.filter(ObjectWriteException::isOfOtherManager).isEmpty();
	}

	/**
	 * Return whether the owner for which an object was applied must not have it: another
	 * object is its controller, or nobody is. It remains until somebody changes that.
	 * @return whether the reason is {@code OwnedByAnother} or {@code NotOwned}
	 */
	public boolean isNotOwned() {
		return Set.of(NOT_OWNED, OWNED_BY_ANOTHER).contains(reason());
	}

	/**
	 * Return whether another manager has a field that was applied without force.
	 */
	static boolean isOfOtherManager(ServerStatus status) {
		return status.message().startsWith(OTHER_MANAGER);
	}

	/**
	 * Return the reason that the server gave, such as {@code AlreadyExists} or
	 * {@code Conflict}; {@code NotStored} if it has carried out the request without a
	 * value that was sent; {@code OwnedByAnother} or {@code NotOwned} if an object was
	 * applied for an owner, but has another controller or none.
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
