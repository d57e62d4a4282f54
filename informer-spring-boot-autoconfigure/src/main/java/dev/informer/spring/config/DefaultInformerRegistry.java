/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.informer.HandlerRegistration;
import dev.informer.IndexFunction;
import dev.informer.InformerFactory;
import dev.informer.InformerListener;
import dev.informer.InformerOptions;
import dev.informer.InvocationGate;
import dev.informer.Lister;
import dev.informer.ObjectTransform;
import dev.informer.SharedIndexInformer;
import dev.informer.UndecodableTypeException;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.Shard;
import dev.informer.spring.InformerCustomizer;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidInformerBeanException;
import dev.informer.spring.InvalidInformerPropertyException;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Default {@link InformerRegistry}. Its factory method creates the informers of the bean
 * definitions. Its {@link InformerLifecycle} starts and stops them. Thread-safe.
 */
public final class DefaultInformerRegistry implements InformerRegistry, DisposableBean {

	/** Name of the bean. */
	public static final String BEAN_NAME = "informerRegistry";

	static final String CREATE_INFORMER = "createInformer";

	private static final Set<String> BUILT_IN_INDICES = Set.of(Lister.OWNER_INDEX, Lister.LABEL_INDEX);

	private final InformerFactory factory;

	private final InformerSettings settings;

	private final ConfigurableListableBeanFactory beanFactory;

	private final InformerLifecycle lifecycle;

	private final ConcurrentMap<String, Handler> handlers = new ConcurrentHashMap<>();

	private final Set<SharedIndexInformer<?>> registered = ConcurrentHashMap.newKeySet();

	private volatile List<SharedIndexInformer<?>> beans = List.of();

	public DefaultInformerRegistry(InformerFactory factory, InformerSettings settings, Replicas replicas,
			ConfigurableListableBeanFactory beanFactory) {
		this.factory = factory;
		this.settings = settings;
		this.beanFactory = beanFactory;
		boolean own = beanFactory.getBeanNamesForType(Replicas.class, true, false).length > 0;
		this.lifecycle = new InformerLifecycle(factory, settings, this, own ? replicas : Replicas.NONE);
	}

	/**
	 * Return the manifest with all rights of the application.
	 */
	String rights() {
		return this.beanFactory.getBean(RequiredRights.class).manifest();
	}

	<T extends KubernetesObject> SharedIndexInformer<T> createInformer(String name, Class<T> type, String group,
			String version, String plural, String kind, boolean namespaced) {
		boolean defaultName = name.equals(plural) && type != PartialObjectMetadata.class;
		SharedIndexInformer<T> informer;
		try {
			informer = this.factory.informer(new ResourceType<>(type, group, version, plural, kind, namespaced),
					(builder) -> {
						this.settings.applyTo(builder, name);
						builder.name(defaultName ? null : name);
					});
		}
		catch (UndecodableTypeException ex) {
			throw ex;
		}
		catch (IllegalArgumentException ex) {
			throw InvalidInformerPropertyException.of("informer.resources." + name, ex);
		}
		this.settings.indices(name).forEach(informer::enableIndex);
		customize(informer);
		return informer;
	}

	/**
	 * Apply the index functions, the transform and the customizers for the type of an
	 * informer.
	 */
	@SuppressWarnings({ "unchecked", "rawtypes" })
	private <T extends KubernetesObject> void customize(SharedIndexInformer<T> informer) {
		Class<T> type = informer.resourceType().type();
		GenericBeanLookup beans = new GenericBeanLookup(this.beanFactory);
		beans.findAll(IndexFunction.class, type)
			.forEach((index, function) -> configure(index, useOtherIndex(index, informer.name()),
					() -> informer.addMultiValueIndex(index, function)));
		List<ObjectTransform> transforms = beans.findMostSpecific(ObjectTransform.class, type);
		if (!transforms.isEmpty()) {
			informer.setTransform((object) -> {
				T transformed = object;
				for (ObjectTransform<T> transform : transforms) {
					transformed = transform.transform(transformed);
				}
				return transformed;
			});
		}
		beans.findAll(InformerCustomizer.class, type)
			.forEach((name, customizer) -> configure(name, "Correct the bean, an InformerCustomizer.",
					() -> customizer.customize(informer)));
	}

	private static void configure(String bean, String action, Runnable configuration) {
		try {
			configuration.run();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidInformerBeanException(bean, String.valueOf(ex.getMessage()), action, ex);
		}
	}

	private static String useOtherIndex(String index, String informer) {
		String builtIn = (BUILT_IN_INDICES.contains(index) && Names.isSimple(informer))
				? ", or use the built-in index: informer.resources." + informer + ".indices=" + index : "";
		return "Give the bean, whose name is that of its index, another name" + builtIn + ".";
	}

	/**
	 * Add the listeners of the context to the factory once all singletons exist, so that
	 * a listener may depend on informers. Collect the reconcilers and the informers that
	 * are beans, and check that every informer that properties name exists. Handlers that
	 * are added then are held until the informers have synced.
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
		for (String name : this.settings.properties().resources().keySet()) {
			if (!names.contains(name)) {
				throw new InvalidInformerPropertyException("informer.resources." + name,
						"there is no informer of this name; the informers are " + (names.isEmpty() ? "none" : names)
								+ ". It was unknown when the application was built ahead of time, or a bean of the "
								+ "application replaces it",
						Names.suggest(name, names) + "Build the application again, or remove the property.");
			}
		}
		this.lifecycle.prepare(this.beanFactory.getBean(Reconcilers.class));
	}

	InformerSettings settings() {
		return this.settings;
	}

	/**
	 * Create the lifecycle of the delivery to handlers, which ends before that of this
	 * registry.
	 */
	public HandlerDelivery newHandlerDelivery() {
		return new HandlerDelivery(this.lifecycle);
	}

	/**
	 * Add a handler that is a method of a bean.
	 */
	void add(String id, HandlerRegistration registration, SharedIndexInformer<?> informer, InvocationGate gate) {
		this.handlers.put(id, new Handler(registration, informer, gate));
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
			customize(informer);
			this.lifecycle.startRegistered(informer);
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
		// an informer that selects the namespaces of others is awaited as a part of these
		return !this.registered.contains(informer) && this.settings.isRequired(informer.name())
				&& informers().stream()
					.flatMap((each) -> each.namespaceInformer().stream())
					.noneMatch((each) -> each == informer);
	}

	/**
	 * Return the required informers that have not synced yet.
	 */
	public List<SharedIndexInformer<?>> awaitedInformers() {
		return informers().stream().filter((informer) -> isRequired(informer) && !informer.hasSynced()).toList();
	}

	/**
	 * Return the handlers that the startup waits for, and that have not received the
	 * initial list yet. Paused, leader-only and sharded handlers may receive it at any
	 * later time, or never.
	 */
	public List<HandlerRegistration> awaitedHandlers() {
		if (!this.settings.startup().awaitHandlers()) {
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
		return this.lifecycle.isAutoStartup();
	}

	@Override
	public boolean isRunning() {
		return this.lifecycle.isRunning();
	}

	@Override
	public void start() {
		this.lifecycle.start();
	}

	/**
	 * Stop the informers. A start that is running on another thread fails.
	 */
	@Override
	public void stop() {
		this.lifecycle.stop();
	}

	@Override
	public void stop(Runnable callback) {
		InformerLifecycle.stopSeparately("informer-stop", this::stop, callback);
	}

	/**
	 * Stop the informers finally. A start that is running on another thread fails.
	 */
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
