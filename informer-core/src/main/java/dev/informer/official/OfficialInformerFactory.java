/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.official;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ListerWatcher;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;

/**
 * {@link SharedInformerFactory} that has views of informers and creates none.
 * <p>
 * <b>Concurrency.</b> The map of the superclass is filled by the constructor and not
 * changed. The monitor of this object, which the superclass uses for reads of the map, is
 * not held while informers start or stop.
 *
 * @see OfficialInformers#factory
 */
final class OfficialInformerFactory extends SharedInformerFactory {

	private final List<OfficialInformer<?>> views;

	OfficialInformerFactory(List<dev.informer.SharedIndexInformer<?>> informers) {
		// the client and the thread pool of the superclass are not used: the informers
		// have
		// their own connection and threads
		super(new ApiClient().setReadTimeout(0), true);
		Map<Class<?>, OfficialInformer<?>> views = new LinkedHashMap<>();
		for (dev.informer.SharedIndexInformer<?> informer : informers) {
			Class<?> type = informer.resourceType().type();
			if (views.putIfAbsent(type, new OfficialInformer<>(informer)) != null) {
				throw new IllegalArgumentException("Cannot add informer '" + informer.name()
						+ "' to the factory: it has another informer of " + type.getName()
						+ ", and the official client finds informers by class. Create one factory for each.");
			}
		}
		this.informers.putAll(views);
		this.views = List.copyOf(views.values());
	}

	/**
	 * Return the informer of a class. All other methods that request an informer call
	 * this one.
	 */
	@Override
	public <T extends KubernetesObject, L extends KubernetesListObject> SharedIndexInformer<T> sharedIndexInformerFor(
			ListerWatcher<T, L> listerWatcher, Class<T> type, long resyncPeriodMillis,
			BiConsumer<Class<T>, Throwable> exceptionHandler) {
		SharedIndexInformer<T> view = getExistingSharedIndexInformer(type);
		if (view == null) {
			throw new IllegalStateException("Cannot create an informer of " + type.getName()
					+ ": this factory has only the informers that it was made of. Pass one of this class to "
					+ "OfficialInformers.factory(...).");
		}
		return view;
	}

	@Override
	public void startAllRegisteredInformers() {
		this.views.forEach(OfficialInformer::run);
	}

	@Override
	public void stopAllRegisteredInformers(boolean shutdownThreadPool) {
		this.views.forEach(OfficialInformer::stop);
	}

}
