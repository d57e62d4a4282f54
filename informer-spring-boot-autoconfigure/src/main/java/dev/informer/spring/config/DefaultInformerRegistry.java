/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.informer.HandlerRegistration;
import dev.informer.InformerFactory;
import dev.informer.InformerOptions;
import dev.informer.ResourceType;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.SyncTimeoutException;
import dev.informer.spring.UnsyncedInformer;
import io.kubernetes.client.common.KubernetesObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The {@link InformerRegistry} of an application. Also makes the informers that follow
 * from its code and properties: the factory methods of their beans are here.
 * <p>
 * Starting and stopping exclude each other by a lock; everything else is read from the
 * factory and needs none. An informer that is made meanwhile does not wait for the lock:
 * it is in the factory before it looks whether it has to start, and looks again after
 * that, so that a stop finds it or it finds the stop.
 */
public final class DefaultInformerRegistry implements InformerRegistry, DisposableBean {

	static final String CREATE_INFORMER = "createInformer";

	private static final Logger logger = LoggerFactory.getLogger(DefaultInformerRegistry.class);

	private final InformerFactory factory;

	private final InformerSettings settings;

	private final ConfigurableListableBeanFactory beanFactory;

	private final InformerBeanFactory maker;

	private final HandlerRegistrations handlers = new HandlerRegistrations();

	private final Object lifecycle = new Object();

	private volatile List<SharedIndexInformer<?>> beans = List.of();

	private final KeepAlive keepAlive = new KeepAlive();

	private final Set<SharedIndexInformer<?>> registered = ConcurrentHashMap.newKeySet();

	private volatile boolean active;

	private volatile boolean running;

	/**
	 * Creates a registry.
	 * @param factory makes the informers
	 * @param settings says what they look at
	 * @param beanFactory has informers that are beans of their own, index functions,
	 * transforms and customizers
	 */
	public DefaultInformerRegistry(InformerFactory factory, InformerSettings settings,
			ConfigurableListableBeanFactory beanFactory) {
		this.factory = factory;
		this.settings = settings;
		this.beanFactory = beanFactory;
		this.maker = new InformerBeanFactory(factory, settings, beanFactory);
	}

	<T extends KubernetesObject> SharedIndexInformer<T> createInformer(String name, Class<T> type, String group,
			String version, String plural, String kind, boolean namespaced) {
		return this.maker.make(name, new ResourceType<>(type, group, version, plural, kind, namespaced));
	}

	/**
	 * Takes the informers that are beans, and checks that those are there that the
	 * configuration names.
	 */
	void informersCreated() {
		List<SharedIndexInformer<?>> found = new ArrayList<>();
		for (String bean : this.beanFactory.getBeanNamesForType(SharedIndexInformer.class)) {
			found.add(this.beanFactory.getBean(bean, SharedIndexInformer.class));
		}
		this.beans = List.copyOf(found);
		List<String> names = Stream
			.concat(informers().stream(), parent().stream().flatMap((parent) -> parent.informers().stream()))
			.map(SharedIndexInformer::name)
			.distinct()
			.toList();
		for (String name : this.settings.informers().keySet()) {
			if (!names.contains(name)) {
				throw new InvalidInformerPropertyException("informer.resources." + name,
						"there is no informer of this name, only " + names
								+ ": it was not known when the application was built ahead of time, or a bean of the "
								+ "application takes its place",
						Names.nearest(name, names).map((nearest) -> "Did you mean '" + nearest + "'? ").orElse("")
								+ "Build the application again, or remove the property.");
			}
		}
	}

	void handlerAdded(String id, HandlerRegistration registration, SharedIndexInformer<?> informer) {
		this.handlers.add(id, registration, informer, !informers().contains(informer));
	}

	/**
	 * The registry of the parent of the context.
	 */
	Optional<InformerRegistry> parent() {
		BeanFactory parent = this.beanFactory.getParentBeanFactory();
		return (parent != null) ? Optional.ofNullable(parent.getBeanProvider(InformerRegistry.class).getIfAvailable())
				: Optional.empty();
	}

	@Override
	public List<SharedIndexInformer<?>> informers() {
		Set<SharedIndexInformer<?>> informers = new LinkedHashSet<>(this.factory.informers());
		informers.addAll(this.beans);
		return List.copyOf(informers);
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T extends KubernetesObject> SharedIndexInformer<T> informer(String name, Class<T> type) {
		SharedIndexInformer<?> informer = get(name);
		if (informer.resourceType().type() != type) {
			throw new IllegalArgumentException("the informer '" + name + "' has objects of type "
					+ informer.resourceType().type().getName() + ", not " + type.getName());
		}
		return (SharedIndexInformer<T>) informer;
	}

	private SharedIndexInformer<?> get(String name) {
		List<String> names = informers().stream().map(SharedIndexInformer::name).toList();
		return findInformer(name).orElseThrow(() -> new IllegalArgumentException(
				"there is no informer '" + name + "', only " + (names.isEmpty() ? "none at all" : names)));
	}

	@Override
	public <T extends KubernetesObject> SharedIndexInformer<T> register(ResourceType<T> resourceType,
			Consumer<InformerOptions.Builder> options) {
		SharedIndexInformer<T> informer = newInformer(resourceType, options);
		this.maker.customize(informer);
		if (this.active) {
			this.keepAlive.start();
			informer.start();
			if (!this.active) {
				informer.stop(Duration.ZERO);
				this.keepAlive.stop();
			}
		}
		return informer;
	}

	private <T extends KubernetesObject> SharedIndexInformer<T> newInformer(ResourceType<T> resourceType,
			Consumer<InformerOptions.Builder> options) {
		synchronized (this.registered) {
			List<SharedIndexInformer<?>> before = informers();
			SharedIndexInformer<T> informer = this.factory.informer(resourceType, options);
			if (before.stream().anyMatch((each) -> each.name().equals(informer.name()))) {
				if (!before.contains(informer)) {
					this.factory.remove(informer);
				}
				throw new IllegalArgumentException("there is an informer '" + informer.name()
						+ "' already; choose another name for the one of " + resourceType + " by options.name(...)");
			}
			this.registered.add(informer);
			return informer;
		}
	}

	@Override
	public void remove(String name) {
		SharedIndexInformer<?> informer = get(name);
		if (this.beans.contains(informer)) {
			throw new IllegalArgumentException("the informer '" + name + "' is a bean and cannot be removed: pause its "
					+ "handlers or stop it, or make informers that come and go by InformerRegistry.register");
		}
		this.factory.remove(informer);
		this.registered.remove(informer);
		this.handlers.forget(informer);
	}

	@Override
	public boolean isRequired(SharedIndexInformer<?> informer) {
		return !this.registered.contains(informer) && this.settings.informer(informer.name()).required();
	}

	@Override
	public boolean awaitHandlersIdle(Duration timeout) throws InterruptedException {
		long began = System.nanoTime();
		boolean idle = false;
		while (!idle) {
			idle = true;
			for (HandlerRegistration handler : calledHandlers()) {
				if (!handler.awaitIdle(Duration.ZERO)) {
					// another one may have got work from it meanwhile
					idle = false;
					Duration left = timeout.minusNanos(System.nanoTime() - began);
					if (left.isNegative() || (!handler.awaitIdle(left) && !handler.isPaused())) {
						return false;
					}
				}
			}
		}
		return true;
	}

	private List<HandlerRegistration> calledHandlers() {
		return Stream
			.concat(informers().stream().flatMap((informer) -> informer.handlers().stream()), this.handlers.stream())
			.distinct()
			.filter((handler) -> !handler.isPaused())
			.toList();
	}

	@Override
	public List<String> handlerIds() {
		return this.handlers.ids();
	}

	@Override
	public Optional<HandlerRegistration> findHandler(String id) {
		return this.handlers.find(id);
	}

	@Override
	public boolean isAutoStartup() {
		return this.settings.autoStartup();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public void start() {
		synchronized (this.lifecycle) {
			if (this.running) {
				return;
			}
			this.active = true;
			List<SharedIndexInformer<?>> informers = informers();
			try {
				holdHandlers();
				startAndWait(informers);
			}
			catch (RuntimeException ex) {
				stopAll(Duration.ZERO);
				throw ex;
			}
			finally {
				this.factory.releaseHandlers();
			}
			this.handlers.releaseInherited();
			if (!informers.isEmpty()) {
				this.keepAlive.start();
			}
			this.running = true;
		}
	}

	private void holdHandlers() {
		if (this.settings.deliverAfterSync()) {
			this.factory.holdHandlers(this.factory.informers().stream().filter(this::isRequired).toList());
		}
	}

	private void startAndWait(List<SharedIndexInformer<?>> informers) {
		long started = System.nanoTime();
		if (!informers.isEmpty()) {
			List<String> names = informers.stream().map(SharedIndexInformer::name).toList();
			logger.atInfo().addKeyValue("informers", names).log("Starting informers {}", names);
		}
		informers.forEach(SharedIndexInformer::start);
		List<SharedIndexInformer<?>> late = awaitRequired(informers);
		if (!late.isEmpty()) {
			late(late.stream().map(UnsyncedInformer::of).toList());
		}
		else if (!informers.isEmpty()) {
			long millis = Duration.ofNanos(System.nanoTime() - started).toMillis();
			logger.atInfo().addKeyValue("ms", millis).log("All required informers have synced, after {} ms", millis);
		}
	}

	private List<SharedIndexInformer<?>> awaitRequired(List<SharedIndexInformer<?>> informers) {
		try {
			return new SyncBarrier(informers.stream().filter(this::isRequired).toList())
				.await(this.settings.startupTimeout());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for the informers to sync", ex);
		}
	}

	private void late(List<UnsyncedInformer> informers) {
		switch (this.settings.onTimeout()) {
			case FAIL -> throw new SyncTimeoutException(this.settings.startupTimeout(), informers);
			case WARN -> informers.forEach((informer) -> logger.atWarn()
				.addKeyValue("informer", informer.name())
				.addKeyValue("timeout", this.settings.startupTimeout())
				.log("Required informer has not synced in time, the application goes on without: " + informer));
			case IGNORE -> logger.atDebug()
				.addKeyValue("informers", informers.stream().map(UnsyncedInformer::name).toList())
				.log("Required informers have not synced in time");
		}
	}

	@Override
	public void stop(Runnable callback) {
		StopThread.start("informer-stop", this::stop, callback);
	}

	@Override
	public void stop() {
		synchronized (this.lifecycle) {
			if (this.running) {
				this.handlers.holdInherited();
				stopAll(this.settings.drainTimeout());
				this.running = false;
			}
		}
	}

	@Override
	public void destroy() {
		synchronized (this.lifecycle) {
			stopAll(Duration.ZERO);
			this.running = false;
			this.handlers.removeInherited();
		}
	}

	private void stopAll(Duration drain) {
		this.active = false;
		this.keepAlive.stop();
		long deadline = System.nanoTime() + drain.toNanos();
		this.factory.stop(drain);
		List<SharedIndexInformer<?>> made = this.factory.informers();
		this.beans.stream().filter((informer) -> !made.contains(informer)).forEach((informer) -> {
			Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
			informer.stop(left);
		});
	}

}
