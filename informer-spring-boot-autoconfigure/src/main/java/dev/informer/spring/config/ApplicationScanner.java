package dev.informer.spring.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.informer.Lister;
import dev.informer.ResourceType;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.StringUtils;

/**
 * Finds out which informers an application needs, before any of its beans is created:
 * from handler methods, from injection points and from properties. What the application
 * has a bean of its own for is left to that bean.
 */
public final class ApplicationScanner {

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
	 * @throws InvalidInformerPropertyException when a property cannot be what is meant
	 */
	public List<InformerDeclaration> scan(Map<String, DeclaredResource> resources, UnaryOperator<String> placeholders) {
		Map<Class<?>, ResourceType<?>> byDefault = new LinkedHashMap<>();
		Map<Class<?>, ResourceType<?>> byName = new LinkedHashMap<>();
		for (HandlerMethod handler : handlerMethods().values().stream().flatMap(Collection::stream).toList()) {
			ResourceType<?> resourceType = handler.resourceType();
			boolean named = StringUtils.hasText(placeholders.apply(handler.annotation().informer()));
			if (named || !hasBean(SharedIndexInformer.class, resourceType.type())) {
				(named ? byName : byDefault).put(resourceType.type(), resourceType);
			}
		}
		List<InjectionPoint> named = new ArrayList<>();
		for (InjectionPoint injectionPoint : injectionPoints()) {
			ResourceType<?> resourceType = resourceType(injectionPoint);
			if (resources.keySet().stream().anyMatch(injectionPoint::isCalledLike)) {
				named.add(injectionPoint);
				byName.put(injectionPoint.type(), resourceType);
			}
			else {
				byDefault.put(injectionPoint.type(), resourceType);
			}
		}
		List<ResourceType<?>> used = new ArrayList<>(byDefault.values());
		byName.values().stream().filter((each) -> !byDefault.containsKey(each.type())).forEach(used::add);
		InformerDeclarations declarations = new InformerDeclarations();
		declarations.declare(resources, used);
		byDefault.values().forEach(declarations::need);
		List<InformerDeclaration> all = declarations.all();
		named.forEach((injectionPoint) -> checkNamed(injectionPoint, all));
		return all;
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
	 * The beans that the application itself has for a generic type.
	 * @param beanType {@link SharedIndexInformer} or {@link Lister}
	 * @param type the type of the objects
	 * @return the names of the beans
	 */
	public List<String> beanNames(Class<?> beanType, Class<?> type) {
		ResolvableType wanted = ResolvableType.forClassWithGenerics(beanType, type);
		return List.of(this.beanFactory.getBeanNamesForType(wanted, true, false));
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

	private static ResourceType<? extends KubernetesObject> resourceType(InjectionPoint injectionPoint) {
		try {
			return ResourceType.of(injectionPoint.type());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidInjectionPointException(injectionPoint.place(), String.valueOf(ex.getMessage()),
					"Ask for objects of a model of the official client, or annotate your class with "
							+ "@CustomResource(group, version, plural).");
		}
	}

}
