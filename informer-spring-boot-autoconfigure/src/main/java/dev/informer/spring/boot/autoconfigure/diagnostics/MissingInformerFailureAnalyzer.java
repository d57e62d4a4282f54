/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.Locale;
import java.util.Set;

import dev.informer.HandlerInterceptor;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.config.Names;
import dev.informer.spring.config.ResourceResolver;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/**
 * {@link AbstractFailureAnalyzer} for a missing or ambiguous informer or lister bean, and
 * for an ambiguous bean that the informers use. Ordered before Spring Boot's analyzer of
 * missing beans.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class MissingInformerFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

	/** Beans of the application of which the informers use one. */
	private static final Set<Class<?>> SINGLE = Set.of(ApiClient.class, HandlerInterceptor.class,
			KubernetesConnectionDetails.class);

	private final BeanFactory beanFactory;

	MissingInformerFailureAnalyzer(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
		ResolvableType wanted = cause.getResolvableType();
		if (wanted == null) {
			return null;
		}
		Class<?> beanType = wanted.toClass();
		InjectionPoint point = injectionPoint(rootFailure);
		String found = ((point != null) ? "The application, in " + point.getMember() + "," : "The application")
				+ " requires a bean of type " + wanted + "; ";
		if (beanType.getName().startsWith("io.kubernetes.client.informer.")) {
			return new FailureAnalysis(found + "this type belongs to the informers of the official client.",
					"Import the type from dev.informer instead, or declare a bean of this type with OfficialInformers.",
					cause);
		}
		if (cause instanceof NoUniqueBeanDefinitionException several && SINGLE.contains(beanType)
				&& (point == null || isOwn(point))) {
			return new FailureAnalysis(
					"The informers require one bean of type " + beanType.getName() + "; several beans match: "
							+ several.getBeanNamesFound() + ".",
					"Mark the bean for the informers with @Primary, or the others with @Bean(defaultCandidate = false), "
							+ "and select these with @Qualifier(\"<name of the bean>\").",
					cause);
		}
		if (beanType != Lister.class && beanType != SharedIndexInformer.class) {
			return null;
		}
		if (cause instanceof NoUniqueBeanDefinitionException several) {
			return new FailureAnalysis(found + "several beans match: " + several.getBeanNamesFound() + ".",
					"Select one with @Qualifier(\"<name of the bean>\"), or by the name of the parameter.", cause);
		}
		if (!hasInformers()) {
			return new FailureAnalysis(
					found + "the auto-configuration of informers is not part of this application context.",
					withoutInformers(wanted), cause);
		}
		Qualifier qualifier = (point != null) ? point.getAnnotation(Qualifier.class) : null;
		String name = (qualifier != null) ? qualifier.value() : null;
		return new FailureAnalysis(
				found + "no such bean" + ((name != null) ? " named '" + name + "'" : "") + " was found.",
				action(wanted.getGeneric(0).resolve(), name, beanType), cause);
	}

	private static boolean isOwn(InjectionPoint point) {
		return point.getMember().getDeclaringClass().getName().startsWith("dev.informer.spring.boot.");
	}

	private boolean hasInformers() {
		return !(this.beanFactory instanceof ListableBeanFactory beans) || BeanFactoryUtils
			.beanNamesForTypeIncludingAncestors(beans, InformerRegistry.class, true, false).length > 0;
	}

	private static String withoutInformers(ResolvableType wanted) {
		String type = wanted.toClass().getSimpleName() + "<" + wanted.getGeneric(0).toClass().getSimpleName() + ">";
		return "Test slices such as @WebMvcTest have no informers: add a field @MockitoBean " + type
				+ " to the test, or a bean made by Listers.of(...) of informer-spring-boot-starter-test, or "
				+ "annotate the test with @AutoConfigureEmbeddedKubernetes and "
				+ "@ImportAutoConfiguration({KubernetesConnectionAutoConfiguration.class, "
				+ "InformerAutoConfiguration.class}). Other applications: enable the auto-configuration, or remove "
				+ "its exclusion.";
	}

	private String action(@Nullable Class<?> type, @Nullable String qualifier, Class<?> beanType) {
		if (type == null || type == KubernetesObject.class || !KubernetesObject.class.isAssignableFrom(type)) {
			return "Add the type of the resource: " + beanType.getSimpleName() + "<V1Pod>.";
		}
		Class<? extends KubernetesObject> objects = type.asSubclass(KubernetesObject.class);
		String suffix = (beanType == Lister.class) ? "Lister" : "Informer";
		if (qualifier != null) {
			return ofName(objects, qualifier, suffix);
		}
		return ResourceResolver.find(objects)
			.map((resource) -> "Informers are created for handler methods, constructors and @Bean methods of beans, "
					+ "and their @Autowired methods and fields. For other uses declare the informer with "
					+ "informer.resources." + ResourceResolver.defaultName(resource)
					+ ".required=true. Rebuild an application that was processed ahead of time.")
			.orElseGet(() -> ResourceResolver.remedy(objects));
	}

	private static String ofName(Class<? extends KubernetesObject> type, String qualifier, String suffix) {
		String name = qualifier.endsWith(suffix) ? qualifier.substring(0, qualifier.length() - suffix.length()) : "";
		if (!Names.isSimple(name)) {
			return "The name of the bean is <name>" + suffix + ", where <name> is the key below "
					+ "informer.resources and consists of lower case letters and digits, such as "
					+ qualifier.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "") + suffix + ".";
		}
		String resource = ResourceResolver.find(type)
			.map((found) -> ".resource=" + found.qualifiedName())
			.orElse(".type=" + type.getName());
		return "Declare the informer with informer.resources." + name + resource
				+ " and its namespaces or selectors, or correct the @Qualifier.";
	}

	private static @Nullable InjectionPoint injectionPoint(Throwable failure) {
		InjectionPoint innermost = null;
		for (Throwable each = failure; each != null; each = each.getCause()) {
			if (each instanceof UnsatisfiedDependencyException unsatisfied && unsatisfied.getInjectionPoint() != null) {
				innermost = unsatisfied.getInjectionPoint();
			}
		}
		return innermost;
	}

}
