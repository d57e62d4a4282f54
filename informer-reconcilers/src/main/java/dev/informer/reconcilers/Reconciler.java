/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Compares the desired with the actual state of one object, and writes the difference.
 * <p>
 * Called after each change of the object or of those that belong to it, with the states
 * that the caches have then: several changes may become one call. Calls for one object
 * never overlap.
 *
 * @param <T> the type of the primary object
 */
@FunctionalInterface
public interface Reconciler<T extends KubernetesObject> {

	/**
	 * Reconcile an object.
	 * @param primary a private copy of the object in the cache, which may be modified
	 * @param context the objects that belong to it, and the reasons of the call
	 * @return the delay after which to call again if nothing changes before; {@code null}
	 * for none. It replaces the delay that an earlier call has returned
	 * @throws Exception any failure; the call is repeated as
	 * {@link ReconcilerOptions#retry()} says, or after the next change. A
	 * {@link dev.informer.RetryLaterException} is no failure
	 */
	@Nullable Duration reconcile(T primary, ReconcileContext context) throws Exception;

}
