/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.function.Consumer;
import java.util.function.Function;

import dev.informer.InformerFactorySettings;
import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ResourceType;
import dev.informer.work.StateLock;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Informers of pods on the source of a test.
 */
public final class FakeInformers {

	private FakeInformers() {
	}

	/**
	 * Create an informer of pods, which the caller starts and closes.
	 * @param source the source of the objects
	 * @param options the options of the informer
	 * @param settings sets the time source, the threads and the listeners
	 */
	public static SharedIndexInformer<V1Pod> pods(ListerWatcher<V1Pod> source, InformerOptions options,
			Consumer<InformerFactorySettings> settings) {
		return podsByNamespace((namespace) -> source, options, settings);
	}

	/**
	 * Create an informer of pods, which the caller starts and closes.
	 * @param sources returns the source of a namespace
	 * @param options the options of the informer
	 * @param settings sets the time source, the threads and the listeners
	 */
	public static SharedIndexInformer<V1Pod> podsByNamespace(Function<String, ListerWatcher<V1Pod>> sources,
			InformerOptions options, Consumer<InformerFactorySettings> settings) {
		return assignedPods(sources, null, options, settings);
	}

	/**
	 * Create an informer of pods, which the caller starts and closes.
	 * @param sources returns the source of a namespace
	 * @param assignment the namespaces, which may change; {@code null} for those of the
	 * options
	 * @param options the options of the informer
	 * @param settings sets the time source, the threads and the listeners
	 */
	public static SharedIndexInformer<V1Pod> assignedPods(Function<String, ListerWatcher<V1Pod>> sources,
			@Nullable Assignment assignment, InformerOptions options, Consumer<InformerFactorySettings> settings) {
		InformerFactorySettings changed = new InformerFactorySettings();
		settings.accept(changed);
		return new DefaultSharedIndexInformer<>("pods", ResourceType.of(V1Pod.class), options,
				new SharedParts(changed, new EventDispatcher(changed.listeners()), new StateLock(changed.time()),
						new HandlerGate(), (informer) -> {
						}),
				sources, assignment);
	}

}
