/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.informer.HandlerRegistration;
import dev.informer.InformerFactory;
import dev.informer.InformerListener;
import dev.informer.InformerOptions;
import dev.informer.InvocationGate;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.Shard;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidInformerPropertyException;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Default {@link InformerRegistry}. Its factory method creates the informers of the bean
 * definitions; {@link InformerLifecycle} starts and stops them. Thread-safe.
 */
public final class DefaultInformerRegistry implements InformerRegistry, DisposableBean {

	/** Name of the bean. */
	public static final String BEAN_NAME = "informerRegistry";

	static final String CREATE_INFORMER = "createInformer";

	private final InformerFactory factory;

	private final InformerSettings settings;

	private final Replicas replicas;

	private final ConfigurableListableBeanFactory beanFactory;

	private final InformerBeanFactory informerBeans;

	private final InformerLifecycle lifecycle;

	private final ConcurrentMap<String, Handler> handlers = new ConcurrentHashMap<>();

	private final Set<SharedIndexInformer<?>> registered = ConcurrentHashMap.newKeySet();

	private volatile List<SharedIndexInformer<?>> beans = List.of();

	public DefaultInformerRegistry(InformerFactory factory, InformerSettings settings, Replicas replicas,
			ConfigurableListableBeanFactory beanFactory) {
		this.factory = factory;
		this.settings = settings;
		this.replicas = replicas;
		this.beanFactory = beanFactory;
		this.informerBeans = new InformerBeanFactory(factory, settings, beanFactory);
		boolean own = beanFactory.getBeanNamesForType(Replicas.class, true, false).length > 0;
		// those of a parent context are started and stopped there
		this.lifecycle = new InformerLifecycle(factory, settings, this, own ? replicas : Replicas.NONE);
	}

	<T extends KubernetesObject> SharedIndexInformer<T> createInformer(String name, Class<T> type, String group,
			String version, String plural, String kind, boolean namespaced) {
		return this.informerBeans.create(name, new ResourceType<>(type, group, version, plural, kind, namespaced));
	}

	/**
	 * Add the listeners of the context to the factory once all singletons exist, so that
	 * a listener may depend on informers. Collect the informers that are beans, and check
	 * that every informer that properties name exists. Handlers that are added then are
	 * held until the informers have synced.
	 */
	void collectBeans() {
		Collection<InformerListener> listeners = this.beanFactory.getBeansOfType(InformerListener.class).values();
		this.beanFactory.getBeanProvider(InformerListener.class)
			.orderedStream()
			.filter(listeners::contains)
			.forEach(this.factory::addListener);
		this.beans = this.beanFactory.getBeansOfType(SharedIndexInformer.class)
			.values()
			.stream()
			.<SharedIndexInformer<?>>map((bean) -> bean)
			.toList();
		List<String> names = informers().stream().map(SharedIndexInformer::name).toList();
		for (String name : this.settings.informers().keySet()) {
			if (!names.contains(name)) {
				throw new InvalidInformerPropertyException("informer.resources." + name,
						"there is no informer of this name; the informers are " + (names.isEmpty() ? "none" : names)
								+ ". It was unknown when the application was built ahead of time, or a bean of the "
								+ "application replaces it",
						Names.suggest(name, names) + "Build the application again, or remove the property.");
			}
		}
		if (this.settings.autoStartup()) {
			this.lifecycle.holdHandlers();
		}
	}

	<T extends KubernetesObject> void addHandler(InformerHandlerEndpoint endpoint, SharedIndexInformer<T> informer) {
		InformerSettings.Handler ofInformer = this.settings.informer(informer.name()).handler();
		InformerSettings.Handler own = this.settings.handlers()
			.getOrDefault(endpoint.id(), InformerSettings.Handler.NONE);
		AtomicReference<InvocationGate> gate = new AtomicReference<>();
		HandlerRegistration registration;
		try {
			registration = informer.addHandler(endpoint.handler(), (builder) -> {
				this.settings.defaults().handler().options().accept(builder);
				ofInformer.options().accept(builder);
				endpoint.applyTo(builder);
				own.options().accept(builder);
				this.replicas.applyTo(builder, endpoint, informer,
						own.replicas().orElse(endpoint.replicas()).orElse(ofInformer.replicas()));
				gate.set(builder.build().gate());
			});
		}
		catch (IllegalArgumentException ex) {
			throw endpoint.invalid("its attributes and properties do not fit together: " + ex.getMessage(),
					"Change its attributes, or the properties below " + Names.handlerKey(endpoint.id())
							+ " or informer.resources.<name>.handler.");
		}
		this.handlers.put(endpoint.id(), new Handler(registration, informer, Objects.requireNonNull(gate.get())));
	}

	InformerSettings settings() {
		return this.settings;
	}

	/**
	 * Return the lifecycle of the delivery to handlers, which ends before that of this
	 * registry.
	 */
	public InformerLifecycle.HandlerDelivery handlerDelivery() {
		return this.lifecycle.handlerDelivery();
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
				"there is no informer '" + name + "'; the informers are " + (names.isEmpty() ? "none" : names)));
	}

	@Override
	public <T extends KubernetesObject> SharedIndexInformer<T> register(ResourceType<T> resourceType,
			Consumer<InformerOptions.Builder> options) {
		SharedIndexInformer<T> informer = newInformer(resourceType, options);
		try {
			this.informerBeans.customize(informer);
			this.lifecycle.registered(informer);
		}
		catch (RuntimeException | Error ex) {
			// Otherwise the name would be taken by an informer that never starts
			this.factory.remove(informer);
			this.registered.remove(informer);
			throw ex;
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
					+ "handlers or stop it, or use InformerRegistry.register for temporary informers");
		}
		this.factory.remove(informer);
		this.registered.remove(informer);
		this.handlers.values().removeIf((handler) -> handler.informer() == informer);
	}

	@Override
	public boolean isRequired(SharedIndexInformer<?> informer) {
		return !this.registered.contains(informer) && this.settings.informer(informer.name()).required()
				&& !isNamespaceInformer(informer);
	}

	/**
	 * Return whether an informer selects the namespaces of others. Startup waits for it
	 * as a part of these.
	 */
	private boolean isNamespaceInformer(SharedIndexInformer<?> informer) {
		return informers().stream()
			.flatMap((each) -> each.namespaceInformer().stream())
			.anyMatch((each) -> each == informer);
	}

	/**
	 * Return the handlers that the startup waits for, and that have not received the
	 * initial list yet. Paused, leader-only and sharded handlers may receive it at any
	 * later time, or never.
	 */
	public List<HandlerRegistration> awaitedHandlers() {
		if (!this.settings.awaitHandlers()) {
			return List.of();
		}
		return this.handlers.values()
			.stream()
			.filter((handler) -> handler.exists() && isRequired(handler.informer())
					&& handler.gate() == InvocationGate.OPEN && Shard.of(handler.informer().options()).isEmpty())
			.map(Handler::registration)
			.filter((registration) -> !registration.isPaused() && !registration.hasSynced())
			.toList();
	}

	@Override
	public boolean awaitHandlersIdle(Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + TimeSource.nanos(timeout);
		boolean idle = false;
		while (!idle) {
			idle = true;
			for (HandlerRegistration handler : activeHandlers()) {
				if (!handler.awaitIdle(Duration.ZERO)) {
					// this handler may cause events of another one, so check all of them
					// again
					idle = false;
					Duration left = Duration.ofNanos(deadline - System.nanoTime());
					if (left.isNegative() || (!handler.awaitIdle(left) && !handler.isPaused())) {
						return false;
					}
				}
			}
		}
		return true;
	}

	private List<HandlerRegistration> activeHandlers() {
		return Stream
			.concat(informers().stream().flatMap((informer) -> informer.handlers().stream()),
					this.handlers.values().stream().filter(Handler::exists).map(Handler::registration))
			.distinct()
			.filter((handler) -> !handler.isPaused() && !isLedByOther(handler))
			.toList();
	}

	private boolean isLedByOther(HandlerRegistration registration) {
		return this.handlers.values()
			.stream()
			.filter((handler) -> handler.registration() == registration)
			.flatMap((handler) -> Leadership.of(handler.gate()).stream())
			.anyMatch((leadership) -> !leadership.isLeader());
	}

	@Override
	public List<String> handlerIds() {
		return this.handlers.keySet().stream().filter((id) -> findHandler(id).isPresent()).sorted().toList();
	}

	@Override
	public Optional<HandlerRegistration> findHandler(String id) {
		return Optional.ofNullable(this.handlers.get(id)).filter(Handler::exists).map(Handler::registration);
	}

	@Override
	public boolean isAutoStartup() {
		return this.settings.autoStartup();
	}

	@Override
	public boolean isRunning() {
		return this.lifecycle.isRunning();
	}

	@Override
	public void start() {
		this.lifecycle.start();
	}

	@Override
	public void stop() {
		this.lifecycle.stop();
	}

	@Override
	public void stop(Runnable callback) {
		InformerLifecycle.run("informer-stop", this.lifecycle::stop, callback);
	}

	@Override
	public void destroy() {
		this.lifecycle.close();
	}

	/**
	 * Handler that is a method of a bean.
	 */
	private record Handler(HandlerRegistration registration, SharedIndexInformer<?> informer, InvocationGate gate) {

		boolean exists() {
			return this.informer.handlers().contains(this.registration);
		}

	}

}
