/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.util.Optional;

import com.google.gson.JsonObject;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatus;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import org.jspecify.annotations.Nullable;

/**
 * Claim of an owner to an object that is applied. What is known of the object is sent as
 * a precondition: forced fields include the reference to a controller, which an apply of
 * the same field manager replaces.
 *
 * @param owner the UID of the owner
 * @param adopting whether an object without a controller becomes its own
 */
record OwnerClaim(WriteTarget<?> target, String owner, boolean adopting) {

	private static final int CONFLICT = 409;

	private static final int INVALID = 422;

	/** Version that no object has: the server then creates, but does not change. */
	private static final String NO_VERSION = Long.toString(Long.MAX_VALUE);

	/**
	 * Return what is applied, with the precondition.
	 * @param known the object as it is known; {@code null} if there is none
	 * @throws ObjectWriteException if the owner must not have the object
	 */
	JsonObject body(JsonObject desired, @Nullable KubernetesObject known) throws ObjectWriteException {
		JsonObject body = desired.deepCopy();
		JsonObject metadata = body.getAsJsonObject("metadata");
		if (known == null) {
			metadata.addProperty("resourceVersion", NO_VERSION);
			return body;
		}
		Optional<V1OwnerReference> controller = ObjectState.controller(known);
		if (!isOf(controller) && !(controller.isEmpty() && this.adopting)) {
			throw ObjectWriteException.foreign(this.target, controller.orElse(null));
		}
		ObjectState state = ObjectState.of(known);
		expect(metadata, "uid", state.uid());
		if (controller.isEmpty() || !this.adopting) {
			// another owner may adopt it at the same time, or its owner release it
			expect(metadata, "resourceVersion", state.resourceVersion());
		}
		return body;
	}

	private boolean isOf(Optional<V1OwnerReference> controller) {
		return controller.filter((reference) -> this.owner.equals(reference.getUid())).isPresent();
	}

	/**
	 * Set what the caller has not required.
	 */
	private static void expect(JsonObject metadata, String property, @Nullable String value) {
		if (value != null && !metadata.has(property)) {
			metadata.addProperty(property, value);
		}
	}

	/**
	 * Return whether an answer may say that the object is another one than was known.
	 */
	static boolean isRefused(ServerStatus status) {
		return switch (status.code()) {
			case CONFLICT -> !ObjectWriteException.isOfOtherManager(status);
			case INVALID ->
				status.message().contains("metadata.uid") || status.message().contains("metadata.ownerReferences");
			default -> false;
		};
	}

}
