/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.function.Consumer;
import java.util.function.Function;

import dev.informer.InformerFactorySettings;
import dev.informer.InformerOptions;
import dev.informer.ResourceType;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ListerWatcher;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Makes informers on a source of the test's own.
 */
public final class FakeInformers {

	private FakeInformers() {
	}

	/**
	 * An informer of pods, which the caller starts and closes.
	 * @param source lists and watches
	 * @param options what the informer looks at and how
	 * @param settings time, threads and who hears what happens
	 */
	public static SharedIndexInformer<V1Pod> pods(ListerWatcher<V1Pod> source, InformerOptions options,
			Consumer<InformerFactorySettings> settings) {
		return podsByNamespace((namespace) -> source, options, settings);
	}

	/**
	 * An informer of pods, which the caller starts and closes.
	 * @param sources gives what lists and watches a namespace
	 * @param options what the informer looks at and how
	 * @param settings time, threads and who hears what happens
	 */
	public static SharedIndexInformer<V1Pod> podsByNamespace(Function<String, ListerWatcher<V1Pod>> sources,
			InformerOptions options, Consumer<InformerFactorySettings> settings) {
		InformerFactorySettings changed = new InformerFactorySettings();
		settings.accept(changed);
		return new DefaultSharedIndexInformer<>("pods", ResourceType.of(V1Pod.class), options,
				new InformerEnvironment(changed), sources);
	}

}
