/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import dev.informer.HandlerInterceptor;
import dev.informer.InformerFactory;
import dev.informer.client.TimeSource;
import dev.informer.client.connection.ClusterConnection;
import dev.informer.reconcilers.ReconcileInterceptor;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.recorder.EventRecorder;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.config.DefaultInformerRegistry;
import dev.informer.spring.config.HandlerDelivery;
import dev.informer.spring.config.InformerEventPublisher;
import dev.informer.spring.config.InformerHandlerProcessor;
import dev.informer.spring.config.InformerProperties;
import dev.informer.spring.config.InformerProperties.DeclaredResource;
import dev.informer.spring.config.InformerSettings;
import dev.informer.spring.config.Replicas;
import dev.informer.spring.config.RequiredRights;
import dev.informer.writer.ObjectWriter;
import dev.informer.writer.WriteInterceptor;
import io.kubernetes.client.openapi.ApiClient;

import org.springframework.beans.factory.BeanCreationNotAllowedException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Auto-configuration of informers: a {@code SharedIndexInformer} and a {@code Lister}
 * bean for every resource that the application uses, its handler methods, the registry
 * that starts and stops them, {@link Reconcilers}, an {@link ObjectWriter} and an
 * {@link EventRecorder}.
 */
@AutoConfiguration
@EnableConfigurationProperties(InformerProperties.class)
public final class InformerAutoConfiguration {

	private static final String RESOURCES = "informer.resources";

	private static final String FIELD_MANAGER = "informer.writer.field-manager";

	@Bean
	static ConfigurationPropertiesBindHandlerAdvisor informerKnownPropertiesAdvisor() {
		return KnownPropertiesBindHandler::new;
	}

	@Bean
	InformerSettings informerSettings(InformerProperties properties, ObjectProvider<ClusterConnection> connection,
			ObjectProvider<Replicas> replicas, Environment environment) {
		Duration phaseTimeout = Binder.get(environment)
			.bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
			.orElse(Duration.ofSeconds(30));
		return new InformerSettings(properties, () -> connection.getObject().namespace(),
				phaseTimeout.minus(phaseTimeout.dividedBy(3)),
				replicas.getIfAvailable(() -> Replicas.NONE).member().orElse(null));
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InformerFactory informerFactory(ObjectProvider<ApiClient> apiClient, InformerProperties properties,
			ObjectProvider<HandlerInterceptor> interceptor, Environment environment) {
		return InformerFactory.create(() -> client(apiClient), (settings) -> {
			settings.interceptor(interceptor.getIfAvailable()).defaults(InformerSettings.defaultOptions(properties));
			if (Threading.VIRTUAL.isActive(environment)) {
				settings.threadFactory(new VirtualThreadTaskExecutor().getVirtualThreadFactory());
			}
		});
	}

	private static ApiClient client(ObjectProvider<ApiClient> apiClient) {
		try {
			return apiClient.getObject();
		}
		catch (BeanCreationNotAllowedException ex) {
			throw new IllegalStateException(
					"Cannot connect to the API server: the application context destroys its beans, and the connection "
							+ "was not used before. Inject the ApiClient into the bean whose destroy method needs it.",
					ex);
		}
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ObjectWriter informerObjectWriter(InformerFactory factory, InformerProperties properties,
			ObjectProvider<WriteInterceptor> interceptors, Environment environment) {
		String fieldManager = properties.writer().fieldManager();
		try {
			return ObjectWriter.of(factory, (fieldManager != null) ? fieldManager : fieldManager(environment),
					interceptors.orderedStream().toArray(WriteInterceptor[]::new));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidInformerPropertyException(FIELD_MANAGER,
					"the name must have 1 to 128 printable ASCII characters and not begin with a space",
					"Set a name such as " + fieldManager(environment) + ", or remove the property.", ex);
		}
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	EventRecorder informerEventRecorder(ObjectWriter writer, Environment environment) {
		return EventRecorder.of(writer, controller(environment));
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	Reconcilers informerReconcilers(InformerFactory factory, ObjectWriter writer,
			ObjectProvider<ReconcileInterceptor> interceptors) {
		return Reconcilers.of(factory, writer, interceptors.orderedStream().toArray(ReconcileInterceptor[]::new));
	}

	@Bean
	RequiredRights informerRequiredRights(InformerRegistry registry, InformerSettings settings, Reconcilers reconcilers,
			ObjectProvider<Replicas> replicas, Environment environment) {
		String application = environment.getProperty("spring.application.name", "application");
		return new RequiredRights(registry, settings, reconcilers, replicas.getIfAvailable(() -> Replicas.NONE),
				application.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-") + "-informers");
	}

	/**
	 * Return the name of the application as the name of a controller: the first 63
	 * letters, digits, {@code -}, {@code _} and {@code .}, between letters or digits.
	 */
	private static String controller(Environment environment) {
		String application = environment.getProperty("spring.application.name", "");
		String name = application.replaceAll("[^A-Za-z0-9_.-]", "-").replaceAll("^[^A-Za-z0-9]+", "");
		String end = name.substring(0, Math.min(63, name.length())).replaceAll("[^A-Za-z0-9]+$", "");
		return end.isEmpty() ? "informer" : end;
	}

	/**
	 * Return the name of the application, without characters that are invalid in the name
	 * of a field manager.
	 */
	private static String fieldManager(Environment environment) {
		String application = environment.getProperty("spring.application.name", "").strip();
		String name = application.replaceAll("\\P{Print}", "-");
		return name.isEmpty() ? "informer-writer" : name.substring(0, Math.min(128, name.length()));
	}

	@Bean(DefaultInformerRegistry.BEAN_NAME)
	@Lazy(false)
	DefaultInformerRegistry informerRegistry(InformerFactory factory, InformerSettings settings,
			ObjectProvider<Replicas> replicas, ConfigurableListableBeanFactory beanFactory) {
		return new DefaultInformerRegistry(factory, settings, replicas.getIfAvailable(() -> Replicas.NONE),
				beanFactory);
	}

	@Bean
	@Lazy(false)
	HandlerDelivery informerHandlerDelivery(DefaultInformerRegistry registry) {
		return registry.newHandlerDelivery();
	}

	@Bean
	InformerEventPublisher informerEventPublisher(ApplicationEventPublisher publisher, DefaultInformerRegistry registry,
			InformerProperties properties) {
		return new InformerEventPublisher(publisher, registry, properties.health().failingThreshold(),
				TimeSource.SYSTEM);
	}

	@Bean
	static InformerHandlerProcessor informerHandlerProcessor(Environment environment) {
		return new InformerHandlerProcessor(environment, () -> declaredResources(environment));
	}

	/**
	 * Bind those properties that decide which informers exist. The conversion of the
	 * others may need converters that are beans: all are bound by
	 * {@link InformerProperties}.
	 */
	private static Map<String, DeclaredResource> declaredResources(Environment environment) {
		KnownProperties.check(ConfigurationPropertySources.get(environment));
		Binder binder = Binder.get(environment);
		BindHandler handler = new KnownPropertiesBindHandler(BindHandler.DEFAULT);
		Map<String, DeclaredResource> declared = new LinkedHashMap<>();
		binder.bind(RESOURCES, Bindable.mapOf(String.class, Object.class), handler)
			.ifBound((resources) -> resources.keySet().forEach((name) -> declared.put(name, DeclaredResource.NONE)));
		binder.bind(RESOURCES, Bindable.mapOf(String.class, DeclaredResource.class), handler).ifBound(declared::putAll);
		return declared;
	}

}
