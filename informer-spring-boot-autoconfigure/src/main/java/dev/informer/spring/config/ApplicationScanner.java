/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.informer.Lister;
import dev.informer.ResourceType;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.InvalidInjectionPointException;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.StringUtils;

/**
 * Finds out which informers an application needs, before any of its beans is created:
 * from handler methods, from injection points and from properties. What the application
 * has a bean of its own for is left to that bean.
 */
final class ApplicationScanner {

	private final ConfigurableListableBeanFactory beanFactory;

	private final BeanClasses beans;

	/**
	 * Creates a scanner.
	 * @param beanFactory has the definitions of all beans
	 */
	public ApplicationScanner(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.beans = new BeanClasses(beanFactory);
	}

	/**
	 * Finds the informers.
	 * @param resources what the properties declare, by name
	 * @param placeholders resolves placeholders
	 * @return the informers
	 * @throws InvalidHandlerMethodException when a handler method cannot work
	 * @throws InvalidInjectionPointException when a bean asks for what there cannot be
	 * @throws InvalidInformerPropertyException when a property cannot be what is meant
	 */
	public List<InformerDeclaration> scan(Map<String, DeclaredResource> resources, UnaryOperator<String> placeholders) {
		List<InformerRequirement> needs = new ArrayList<>();
		for (HandlerMethod handler : handlerMethods().values().stream().flatMap(Collection::stream).toList()) {
			boolean named = StringUtils.hasText(placeholders.apply(handler.annotation().informer()));
			if (named || !hasBean(SharedIndexInformer.class, handler.type())) {
				needs.add(InformerRequirement.of(handler, named));
			}
		}
		List<InjectionPoint> named = new ArrayList<>();
		for (InjectionPoint injectionPoint : injectionPoints()) {
			boolean called = resources.keySet().stream().anyMatch(injectionPoint::isCalledLike);
			needs.add(InformerRequirement.of(injectionPoint, called));
			if (called) {
				named.add(injectionPoint);
			}
		}
		InformerDeclarations declarations = new InformerDeclarations();
		declarations.declare(resources, used(needs));
		needs.stream().filter((need) -> !need.named()).forEach((need) -> declare(need, declarations));
		List<InformerDeclaration> all = declarations.all();
		named.forEach((injectionPoint) -> checkNamed(injectionPoint, all));
		return all;
	}

	/**
	 * The resources that the code uses. Of two with the same plural the one counts that
	 * nobody names an informer of.
	 */
	private static List<ResourceType<?>> used(List<InformerRequirement> needs) {
		Set<Class<?>> types = new LinkedHashSet<>();
		List<ResourceType<?>> used = new ArrayList<>();
		needs.stream()
			.sorted(Comparator.comparing(InformerRequirement::named))
			.filter((need) -> types.add(need.type()))
			.forEach((need) -> ObjectTypes.resource(need.type()).ifPresent(used::add));
		return used;
	}

	private static void declare(InformerRequirement need, InformerDeclarations declarations) {
		ObjectTypes.resource(need.type()).ifPresentOrElse(declarations::need, () -> {
			if (!declarations.contains(need.type())) {
				throw need.refusal().get();
			}
		});
	}

	private static void checkNamed(InjectionPoint injectionPoint, List<InformerDeclaration> declarations) {
		List<InformerDeclaration> ofType = declarations.stream()
			.filter((each) -> each.resourceType().type() == injectionPoint.type())
			.toList();
		boolean other = ofType.stream()
			.anyMatch((each) -> injectionPoint.isCalledLike(each.name()) && !each.defaultOfType());
		if (other && ofType.stream().anyMatch(InformerDeclaration::defaultOfType)) {
			throw new InvalidInjectionPointException(injectionPoint.place(), "'" + injectionPoint.name()
					+ "' is called like an informer of its own, but by its type it would be " + "given the default one",
					"Add @Qualifier(\"" + injectionPoint.name() + "\"), or give it another name.");
		}
	}

	/**
	 * Finds the handler methods.
	 * @return the handler methods by the name of their bean
	 * @throws InvalidHandlerMethodException when a handler method cannot work
	 */
	public Map<String, List<HandlerMethod>> handlerMethods() {
		Map<String, List<HandlerMethod>> methods = new LinkedHashMap<>();
		for (String name : this.beans.names()) {
			Class<?> type = this.beans.find(name);
			List<HandlerMethod> ofBean = (type != null) ? HandlerMethodScanner.scan(type) : List.of();
			if (!ofBean.isEmpty()) {
				methods.put(name, ofBean);
			}
		}
		return methods;
	}

	/**
	 * The beans that the application itself has for a generic type, and those that an
	 * ancestor of its context has and gives by that type.
	 * @param beanType {@link SharedIndexInformer} or {@link Lister}
	 * @param type the type of the objects
	 * @return the names of the beans
	 */
	public List<String> beanNames(Class<?> beanType, Class<?> type) {
		ResolvableType wanted = ResolvableType.forClassWithGenerics(beanType, type);
		List<String> names = new ArrayList<>(List.of(this.beanFactory.getBeanNamesForType(wanted, true, false)));
		BeanFactory ancestor = this.beanFactory.getParentBeanFactory();
		while (ancestor instanceof ConfigurableListableBeanFactory inherited) {
			Stream.of(inherited.getBeanNamesForType(wanted, true, false))
				.filter((name) -> !inherited.containsBeanDefinition(name)
						|| !inherited.getBeanDefinition(name).isFallback())
				.forEach(names::add);
			ancestor = inherited.getParentBeanFactory();
		}
		return names;
	}

	/**
	 * Whether an ancestor of the context has the bean of an informer.
	 * @param informer the name of the bean
	 * @return whether it is left to the ancestor
	 */
	public boolean isInherited(String informer) {
		BeanFactory parent = this.beanFactory.getParentBeanFactory();
		return parent != null && parent.containsBean(informer);
	}

	private boolean hasBean(Class<?> beanType, Class<?> type) {
		return !beanNames(beanType, type).isEmpty();
	}

	private List<InjectionPoint> injectionPoints() {
		InjectionPointScanner scanner = new InjectionPointScanner(this.beans);
		return this.beans.names()
			.stream()
			.flatMap((name) -> scanner.scan(name).stream())
			.filter((each) -> !hasBean(each.wanted(), each.type()))
			.toList();
	}

}
