/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import dev.informer.InformerFactorySettings;
import dev.informer.InformerOptions;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * Informers of the namespaces that match a namespace selector. All informers of a factory
 * with the same selector share one, of the metadata alone, which is closed with the last
 * of them.
 * <p>
 * <b>Concurrency.</b> Thread-safe. This object's monitor guards the informers and who
 * begins to follow them. It is not held while an informer is closed.
 */
final class NamespaceInformers {

	private static final String NAME = "selected-namespaces";

	static final ResourceType<PartialObjectMetadata> RESOURCE = new ResourceType<>(PartialObjectMetadata.class, "",
			"v1", "namespaces", "Namespace", false);

	private final InformerFactorySettings settings;

	private final Function<InformerOptions, @Nullable DefaultSharedIndexInformer<PartialObjectMetadata>> factory;

	private final Map<String, DefaultSharedIndexInformer<PartialObjectMetadata>> bySelector = new HashMap<>();

	/**
	 * Create an instance without informers.
	 * @param factory creates an informer of namespaces; returns {@code null} if its name
	 * is in use
	 */
	NamespaceInformers(InformerFactorySettings settings,
			Function<InformerOptions, @Nullable DefaultSharedIndexInformer<PartialObjectMetadata>> factory) {
		this.settings = settings;
		this.factory = factory;
	}

	/**
	 * Return the namespaces that match a selector, which one more informer follows.
	 */
	synchronized NamespaceAssignment acquire(String selector) {
		DefaultSharedIndexInformer<PartialObjectMetadata> known = this.bySelector.get(selector);
		// the application may have closed it
		if (known == null || known.isClosed()) {
			known = create(selector);
			this.bySelector.put(selector, known);
		}
		return new NamespaceAssignment(known, this::released);
	}

	private DefaultSharedIndexInformer<PartialObjectMetadata> create(String selector) {
		DefaultSharedIndexInformer<PartialObjectMetadata> created = null;
		for (int number = 1; created == null; number++) {
			created = this.factory.apply(new InformerOptions.Builder(this.settings.defaults())
				.name((number == 1) ? NAME : NAME + "-" + number)
				.namespaces()
				.namespaceSelector(null)
				.watchedSet(null)
				.labelSelector(selector)
				.fieldSelector(null)
				.build());
		}
		return created;
	}

	/**
	 * Close an informer of namespaces that nothing follows any longer.
	 */
	private void released(DefaultSharedIndexInformer<PartialObjectMetadata> informer) {
		if (isLast(informer)) {
			informer.close();
		}
	}

	private synchronized boolean isLast(DefaultSharedIndexInformer<PartialObjectMetadata> informer) {
		return !informer.isFollowed() && this.bySelector.values().remove(informer);
	}

}
