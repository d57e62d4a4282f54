/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

import dev.informer.HandlerInterceptor;
import dev.informer.InformerFactory;
import dev.informer.Leadership;
import dev.informer.LeadershipListener;
import dev.informer.Sharding;
import dev.informer.ShardingListener;
import dev.informer.TimeSource;
import dev.informer.leader.LeaderElector;
import dev.informer.shard.ShardMember;
import dev.informer.spring.LeaderElections;
import dev.informer.spring.config.DeclaredResource;
import dev.informer.spring.config.DefaultInformerRegistry;
import dev.informer.spring.config.DefaultLeaderElections;
import dev.informer.spring.config.InformerEventPublisher;
import dev.informer.spring.config.InformerHandlerProcessor;
import dev.informer.spring.config.InformerLifecycle.HandlerDelivery;
import dev.informer.spring.config.InformerListenerRegistrar;
import dev.informer.spring.config.InformerSettings;
import dev.informer.spring.config.Names;
import dev.informer.spring.config.ReplicaListenerRegistrar;
import dev.informer.spring.config.Replicas;
import dev.informer.spring.config.ShardMembership;
import dev.informer.spring.connection.ApiClientFactory;
import io.kubernetes.client.openapi.ApiClient;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Auto-configuration of informers: a {@code SharedIndexInformer} and a {@code Lister}
 * bean for every resource that the application uses, its handler methods, and the
 * registry that starts and stops them.
 * <p>
 * In a hierarchy of contexts, each context with this configuration has a registry for the
 * informers and handlers of its beans. An informer of an ancestor is used instead of a
 * new one: handlers are added to it, and removed when their context is closed.
 */
@AutoConfiguration
@EnableConfigurationProperties(InformerProperties.class)
public final class InformerAutoConfiguration {

	private static final String REGISTRY = "informerRegistry";

	@Bean
	static ConfigurationPropertiesBindHandlerAdvisor informerNestedPropertiesAdvisor() {
		return NestedPropertiesBindHandler::new;
	}

	@Bean
	InformerSettings informerSettings(InformerProperties properties, ObjectProvider<ApiClientFactory> clients,
			ShardMembership membership, Environment environment) {
		Duration phaseTimeout = Binder.get(environment)
			.bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
			.orElse(Duration.ofSeconds(30));
		return new InformerSettingsPropertyMapper(properties).settings(() -> clients.getObject().currentNamespace(),
				phaseTimeout.minus(phaseTimeout.dividedBy(3)), membership.sharding().orElse(null));
	}

	@Bean
	@Lazy(false)
	InformerListenerRegistrar informerListenerRegistrar(InformerFactory factory, ListableBeanFactory beanFactory) {
		return new InformerListenerRegistrar(factory, beanFactory);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InformerFactory informerFactory(ObjectProvider<ApiClient> apiClient, InformerProperties properties,
			ObjectProvider<HandlerInterceptor> interceptor, Environment environment) {
		return InformerFactory.create(apiClient::getObject, (settings) -> {
			settings.interceptor(interceptor.getIfAvailable())
				.defaults(new InformerSettingsPropertyMapper(properties).defaultOptions());
			if (Threading.VIRTUAL.isActive(environment)) {
				settings.threadFactory(new VirtualThreadTaskExecutor().getVirtualThreadFactory());
			}
		});
	}

	@Bean(REGISTRY)
	@Lazy(false)
	DefaultInformerRegistry informerRegistry(InformerFactory factory, InformerSettings settings,
			DefaultLeaderElections elections, ShardMembership membership, ConfigurableListableBeanFactory beanFactory) {
		return new DefaultInformerRegistry(factory, settings, new Replicas(elections, membership), beanFactory);
	}

	@Bean
	ReplicaDefaults informerReplicaDefaults(ObjectProvider<ApiClientFactory> clients, Environment environment) {
		return new ReplicaDefaults(environment.getProperty("spring.application.name"),
				() -> clients.getObject().currentNamespace());
	}

	@Bean
	DefaultLeaderElections informerLeaderElections(InformerProperties properties, ReplicaDefaults defaults,
			ObjectProvider<ApiClient> apiClient, ConfigurableListableBeanFactory beanFactory, Environment environment) {
		// replicas are the processes, not the contexts of one of them
		BeanFactory parent = beanFactory.getParentBeanFactory();
		LeaderElections inherited = (parent != null) ? parent.getBeanProvider(LeaderElections.class).getIfAvailable()
				: null;
		if (inherited != null && !inherited.elections().isEmpty()) {
			return new DefaultLeaderElections(List.of(), inherited.elections());
		}
		ThreadFactory threads = threads(environment);
		return new DefaultLeaderElections(new LeaderElectionPropertyMapper(properties.getLeader(), defaults).options()
			.stream()
			.map((options) -> new LeaderElector(options, apiClient::getObject, threads))
			.toList(), List.of());
	}

	@Bean
	ShardMembership informerShardMembership(InformerProperties properties, ReplicaDefaults defaults,
			ObjectProvider<ApiClient> apiClient, ConfigurableListableBeanFactory beanFactory, Environment environment) {
		// a group has one member per process, not per context
		BeanFactory parent = beanFactory.getParentBeanFactory();
		Optional<Sharding> inherited = Optional.ofNullable(parent)
			.map((factory) -> factory.getBeanProvider(ShardMembership.class).getIfAvailable())
			.flatMap(ShardMembership::sharding);
		if (inherited.isPresent()) {
			return new ShardMembership(null, inherited.get());
		}
		return new ShardMembership(new ShardingPropertyMapper(properties.getSharding(), defaults).options()
			.map((options) -> new ShardMember(options, apiClient::getObject, threads(environment)))
			.orElse(null), null);
	}

	private static ThreadFactory threads(Environment environment) {
		return Threading.VIRTUAL.isActive(environment) ? new VirtualThreadTaskExecutor().getVirtualThreadFactory()
				: InformerAutoConfiguration::newDaemonThread;
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty("informer.leader.enabled")
	Leadership informerLeadership(LeaderElections elections) {
		return elections.elections().get(0);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty("informer.sharding.enabled")
	Sharding informerSharding(ShardMembership membership) {
		return membership.sharding().orElseThrow();
	}

	@Bean
	@Lazy(false)
	ReplicaListenerRegistrar informerReplicaListenerRegistrar(DefaultLeaderElections elections,
			ShardMembership membership, ObjectProvider<LeadershipListener> leadershipListeners,
			ObjectProvider<ShardingListener> shardingListeners) {
		return new ReplicaListenerRegistrar(elections, membership, leadershipListeners, shardingListeners);
	}

	@Bean
	@Lazy(false)
	HandlerDelivery informerHandlerDelivery(DefaultInformerRegistry registry) {
		return registry.handlerDelivery();
	}

	private static Thread newDaemonThread(Runnable task) {
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		return thread;
	}

	@Bean
	InformerEventPublisher informerEventPublisher(ApplicationEventPublisher publisher, DefaultInformerRegistry registry,
			InformerProperties properties) {
		return new InformerEventPublisher(publisher, registry, properties.getHealth().getFailingThreshold(),
				TimeSource.SYSTEM);
	}

	@Bean
	static InformerHandlerProcessor informerHandlerProcessor(Environment environment) {
		return new InformerHandlerProcessor(REGISTRY, environment, () -> declaredResources(Binder.get(environment)));
	}

	/**
	 * Bind those properties that decide which informers exist. All others are bound once,
	 * by {@link InformerProperties}.
	 */
	private static Map<String, DeclaredResource> declaredResources(Binder binder) {
		BindHandler handler = new NestedPropertiesBindHandler(BindHandler.DEFAULT);
		Map<String, DeclaredResource> declared = new LinkedHashMap<>();
		binder
			.bind("informer.resources",
					Bindable.mapOf(String.class, Object.class).withExistingValue(new LinkedHashMap<>()), handler)
			.ifBound((resources) -> resources.keySet()
				.forEach((name) -> declared.put(name, declaredResource(binder, name, handler))));
		return declared;
	}

	private static DeclaredResource declaredResource(Binder binder, String name, BindHandler handler) {
		if (!Names.isSimple(name)) {
			return DeclaredResource.NONE;
		}
		return binder.bind("informer.resources." + name, Bindable.of(DeclaredResource.class), handler)
			.orElse(DeclaredResource.NONE);
	}

}
