/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.writer.ObjectWrite.Operation;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Listener to the requests that writers send on one thread, and to their answers.
 * Reconcilers wait for what their calls have written, and may adopt. Confined to its
 * thread.
 */
public interface WriteListener {

	/**
	 * Note that a request is sent.
	 * @param type the resource
	 * @param object the namespace and the name of the object, without a name if the
	 * server generates it
	 * @param body the body of the request, which must not be modified
	 */
	default void sending(ResourceType<?> type, ObjectState object, byte[] body) {
	}

	/**
	 * Note an answer with the object as it is now. One that is marked as deleted and has
	 * no finalizer is gone.
	 * @param operation the operation, which is no deletion
	 * @param type the resource
	 * @param answer the object, which must not be modified
	 */
	default void written(Operation operation, ResourceType<?> type, KubernetesObject answer) {
	}

	/**
	 * Note an answer to a deletion.
	 * @param type the resource
	 * @param read the object as it was read, which must not be modified
	 * @param answer the answer: a status, or the object as it was deleted or marked
	 */
	default void deleted(ResourceType<?> type, KubernetesObject read, byte[] answer) {
	}

	/**
	 * Note that the server may carry out the request that was sent last, but has not
	 * answered.
	 * @param type the resource
	 * @param object the namespace and the name of the object
	 */
	default void unanswered(ResourceType<?> type, ObjectState object) {
	}

	/**
	 * Return whether applies take objects that exist without a controller, as those of
	 * {@link ObjectWriter#withAdoption()}.
	 * @param owner the UID of the owner
	 * @return whether the owner adopts them
	 */
	default boolean adopts(String owner) {
		return false;
	}

	/**
	 * Set the listener of the current thread.
	 * @param listener the listener; {@code null} for none
	 */
	static void listen(@Nullable WriteListener listener) {
		if (listener != null) {
			DefaultObjectWriter.LISTENER.set(listener);
		}
		else {
			DefaultObjectWriter.LISTENER.remove();
		}
	}

}
