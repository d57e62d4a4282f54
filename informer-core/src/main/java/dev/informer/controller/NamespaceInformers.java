/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.HashMap;
import java.util.Map;

import dev.informer.InformerOptions;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;

/**
 * Informers of the namespaces that match a namespace selector. All informers of a factory
 * with the same selector share one, of the metadata alone, which is closed with the last
 * of them.
 * <p>
 * <b>Concurrency.</b> Thread-safe. The users of each informer are guarded by this
 * object's monitor, which is not held while an informer is closed.
 */
final class NamespaceInformers {

	private static final String NAME = "selected-namespaces";

	static final ResourceType<PartialObjectMetadata> RESOURCE = new ResourceType<>(PartialObjectMetadata.class, "",
			"v1", "namespaces", "Namespace", false);

	private final DefaultInformerFactory factory;

	private final Map<String, Shared> bySelector = new HashMap<>();

	NamespaceInformers(DefaultInformerFactory factory) {
		this.factory = factory;
	}

	/**
	 * Return the namespaces that match a selector, for one more user.
	 */
	synchronized NamespaceAssignment acquire(String selector) {
		Shared known = this.bySelector.get(selector);
		// the application may have closed it
		if (known == null || known.informer().isClosed()) {
			known = new Shared(create(selector), 0);
		}
		this.bySelector.put(selector, new Shared(known.informer(), known.users() + 1));
		return new NamespaceAssignment(known.informer());
	}

	private DefaultSharedIndexInformer<PartialObjectMetadata> create(String selector) {
		DefaultSharedIndexInformer<PartialObjectMetadata> created = null;
		for (int number = 1; created == null; number++) {
			created = this.factory.createNamespaceInformer(new InformerOptions.Builder(this.factory.settings.defaults())
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
	 * End the use of an informer, and close it after the last one.
	 */
	void release(NamespaceAssignment assignment) {
		assignment.close();
		if (removeUser(assignment)) {
			assignment.informer().close();
		}
	}

	/**
	 * Remove a user of an informer, and return whether it was the last one.
	 */
	private synchronized boolean removeUser(NamespaceAssignment assignment) {
		for (Map.Entry<String, Shared> entry : this.bySelector.entrySet()) {
			Shared shared = entry.getValue();
			if (shared.informer() == assignment.informer()) {
				int users = shared.users() - 1;
				if (users > 0) {
					entry.setValue(new Shared(shared.informer(), users));
				}
				else {
					this.bySelector.remove(entry.getKey());
				}
				return users == 0;
			}
		}
		return false;
	}

	/**
	 * Informer of namespaces.
	 *
	 * @param users the number of informers that use it
	 */
	private record Shared(DefaultSharedIndexInformer<PartialObjectMetadata> informer, int users) {
	}

}
