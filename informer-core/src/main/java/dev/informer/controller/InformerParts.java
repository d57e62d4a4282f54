/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.processor.SharedProcessor;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Parts of an informer that outlive its runs.
 *
 * @param <T> the type of the objects
 * @param informer the informer
 * @param assignment the source of its namespaces, if they change; {@code null} if they
 * are fixed
 * @param environment the environment that it shares with others
 * @param reflectors its reflectors
 * @param sink accepts the deltas of the reflectors
 * @param updater applies them to the store
 * @param processor invokes the handlers
 * @param mutations detects modified objects
 * @param latch the latch of threads that wait for the informer
 * @param failures reports failures
 */
record InformerParts<T extends KubernetesObject>(SharedIndexInformer<T> informer, @Nullable Assignment assignment,
		InformerEnvironment environment, ReflectorSet<T> reflectors, TransformingSink<T> sink, StoreUpdater<T> updater,
		SharedProcessor<T> processor, MutationDetector<T> mutations, SyncLatch latch, FailureReporter failures) {

	TimeSource time() {
		return this.environment.time();
	}

}
