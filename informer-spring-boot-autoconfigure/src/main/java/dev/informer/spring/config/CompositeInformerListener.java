/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.InformerState;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Passes what happens inside the informers on to all {@link InformerListener} beans of
 * the context, those of its ancestors not counted. They are looked up once all beans are
 * there, so that they may themselves depend on informers.
 */
public final class CompositeInformerListener implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(CompositeInformerListener.class);

	private final ListableBeanFactory beanFactory;

	private final InformerListener all = new All();

	private volatile List<InformerListener> listeners = List.of();

	/**
	 * Creates an instance.
	 * @param beanFactory has the listeners
	 */
	public CompositeInformerListener(ListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Collection<InformerListener> own = this.beanFactory.getBeansOfType(InformerListener.class).values();
		this.listeners = this.beanFactory.getBeanProvider(InformerListener.class)
			.orderedStream()
			.filter(own::contains)
			.toList();
	}

	/**
	 * All of them as one.
	 * @return the listener that passes everything on
	 */
	public InformerListener all() {
		return this.all;
	}

	private void each(Consumer<InformerListener> call) {
		for (InformerListener listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (RuntimeException ex) {
				logger.atWarn()
					.addKeyValue("listener", listener.getClass().getName())
					.setCause(ex)
					.log("Informer listener {} has thrown; the informer goes on", listener.getClass().getName());
			}
		}
	}

	private final class All implements InformerListener {

		@Override
		public void stateChanged(SharedIndexInformer<?> informer, String namespace, InformerState state) {
			each((listener) -> listener.stateChanged(informer, namespace, state));
		}

		@Override
		public void listed(SharedIndexInformer<?> informer, String namespace, ListMode mode, Duration time,
				boolean success) {
			each((listener) -> listener.listed(informer, namespace, mode, time, success));
		}

		@Override
		public void watchEnded(SharedIndexInformer<?> informer, String namespace, WatchEnd reason) {
			each((listener) -> listener.watchEnded(informer, namespace, reason));
		}

		@Override
		public void relisting(SharedIndexInformer<?> informer, String namespace, RelistReason reason) {
			each((listener) -> listener.relisting(informer, namespace, reason));
		}

		@Override
		public void failed(SharedIndexInformer<?> informer, @Nullable String namespace, InformerFailure failure) {
			each((listener) -> listener.failed(informer, namespace, failure));
		}

		@Override
		public void synced(SharedIndexInformer<?> informer, Duration time) {
			each((listener) -> listener.synced(informer, time));
		}

		@Override
		public void changed(SharedIndexInformer<?> informer, ResourceEvent.Type type) {
			each((listener) -> listener.changed(informer, type));
		}

		@Override
		public void handled(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event, Duration time,
				int attempt, @Nullable Throwable failure) {
			each((listener) -> listener.handled(informer, handler, event, time, attempt, failure));
		}

		@Override
		public void delivered(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event, Duration lag) {
			each((listener) -> listener.delivered(informer, handler, event, lag));
		}

		@Override
		public void removed(SharedIndexInformer<?> informer) {
			each((listener) -> listener.removed(informer));
		}

		@Override
		public void handlersChanged(SharedIndexInformer<?> informer) {
			each((listener) -> listener.handlersChanged(informer));
		}

	}

}
